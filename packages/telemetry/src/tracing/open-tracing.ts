import type { TracingConfig } from '../config.ts';
import { Tracing, type TracingProcess } from './tracing.ts';

/**
 * Starts sending spans; undefined when traces are off, and then nothing of the SDK is loaded. A collector that refuses, hangs or is
 * not there costs spans and nothing else: they wait in a queue of bounded length, and what does not fit is dropped.
 */
export async function openTracing(
  config: TracingConfig | undefined,
  about: TracingProcess,
): Promise<Tracing | undefined> {
  if (!config) return undefined;
  const { openSdk } = await import('./open-sdk.ts');
  return new Tracing(openSdk(config, about));
}
