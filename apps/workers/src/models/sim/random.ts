import { createHash } from 'node:crypto';

/** Numbers in [0, 1) that depend on the seed alone. */
export type RandomSource = () => number;

/** A stream of numbers from a text (mulberry32 over the first bytes of its SHA-256). */
export function randomFrom(seed: string): RandomSource {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Hex SHA-256 of a text: names a request inside the simulator. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
