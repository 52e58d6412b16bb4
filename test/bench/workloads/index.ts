import type { Workload } from '../workload.ts';
import { growth } from './growth.ts';
import { httpStart } from './http-start.ts';
import { soloChain, startLatency } from './latency.ts';
import { recovery } from './recovery.ts';
import { chainIdempotentLoad, chainPureLoad, fanLoad, mapLoad } from './throughput.ts';

/** Everything that is measured, in this order. */
export const workloads: readonly Workload[] = [
  chainPureLoad,
  chainIdempotentLoad,
  fanLoad,
  mapLoad,
  soloChain,
  startLatency,
  httpStart,
  recovery,
  growth,
];
