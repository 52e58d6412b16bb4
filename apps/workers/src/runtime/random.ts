import { createHash } from 'node:crypto';

/**
 * Random numbers that are the same on every attempt: seeded by the run's recorded seed and the path (X6).
 * Generator: sfc32, 128 bits of state.
 */
export function seededRandom(seed: string, path: string): () => number {
  const hash = createHash('sha256').update(`${seed}/${path}`).digest();
  let a = hash.readUInt32LE(0);
  let b = hash.readUInt32LE(4);
  let c = hash.readUInt32LE(8);
  let d = hash.readUInt32LE(12);
  return () => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return (t >>> 0) / 4_294_967_296;
  };
}
