import type { Workload } from '../workload.ts';
import { chainIdempotentLoad, chainPureLoad, fanLoad, mapLoad } from './throughput.ts';

/** Everything that is measured, in this order. */
export const workloads: readonly Workload[] = [chainPureLoad, chainIdempotentLoad, fanLoad, mapLoad];
