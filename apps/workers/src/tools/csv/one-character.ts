import { z } from 'zod';

/** What divides or encloses cells: one character, of whatever alphabet, and no line end. */
export const oneCharacter = z
  .string()
  .refine((text) => [...text].length === 1 && !/[\r\n]/.test(text), 'must be one character');
