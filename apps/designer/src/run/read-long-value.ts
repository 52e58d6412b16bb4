import type { Client } from '@pawl/api';
import type { Json } from '@pawl/dag-core';
import type { LongValue } from './values.ts';

/** What reading a value needs of the API. */
type ValueApi = Pick<Client, 'readValue'>;

/** Bytes that are read at once. */
const PART_BYTES = 64 * 1_024;

/** Where a browser finds the text of a value as a file. */
export const addressOf = (runId: string, { seq, name }: LongValue): string =>
  `/v1/runs/${runId}/events/${seq}/values/${name}`;

const placeOf = (runId: string, { seq, name }: LongValue) => ({ runId, event: seq, name });

/** The next part of a value's text behind `shown`, which is how it begins. */
export async function readOn(api: ValueApi, runId: string, value: LongValue, shown: string): Promise<string> {
  const start = new TextEncoder().encode(shown).length;
  const range = `bytes=${start}-${start + PART_BYTES - 1}`;
  const reply = await api.readValue({
    params: placeOf(runId, value),
    headers: { range, 'if-range': `"${value.hash}"` },
  });
  // A character that is cut at the end is read again with the next part.
  return new TextDecoder().decode(await reply.arrayBuffer(), { stream: true });
}

/** The whole value. */
export async function readWhole(api: ValueApi, runId: string, value: LongValue): Promise<Json> {
  return (await api.readValue({ params: placeOf(runId, value), headers: {} })).json() as Promise<Json>;
}
