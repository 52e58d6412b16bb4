import type { Json } from '../json.ts';

/**
 * The member of an event's data that holds an output: the value, or what stands for one that was put aside because it is too long
 * for the journal (semantics §6). Stores put the value back before anybody reads the event, so events know only `output`.
 */
export function outputData({
  output,
  outputRef,
}: {
  readonly output?: Json | undefined;
  readonly outputRef?: object | undefined;
}): { output: Json } {
  return (outputRef ? { outputRef } : { output }) as { output: Json };
}
