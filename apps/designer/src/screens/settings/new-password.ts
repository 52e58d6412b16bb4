/** As the engine demands it. */
const LEAST = 12;

export const isLongEnough = (password: string): boolean => [...password].length >= LEAST;

/** Without signs that look alike. */
const SIGNS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** A password to begin with, easy to read out: 100 bits of chance in groups of five. */
export const newPassword = (): string =>
  [...crypto.getRandomValues(new Uint8Array(20))]
    .map((byte, place) => `${place > 0 && place % 5 === 0 ? '-' : ''}${SIGNS[byte % SIGNS.length]}`)
    .join('');
