import { z } from 'zod';
import { pointerSteps } from './json-pointer.ts';

/** A JSON pointer (RFC 6901). */
export const jsonPointer = z
  .string()
  .max(10_000)
  .regex(/^(\/([^~]|~[01])*)?$/u, 'must be a JSON pointer: empty, or beginning with "/"');

/** The steps of a pointer that {@link jsonPointer} has let through. */
export const stepsOf = (pointer: string): string[] => pointerSteps(pointer) ?? [];

/** Integers beyond ±(2^53−1): refused with their pointers, or kept as text, digit for digit. */
export const bigIntegers = z
  .enum(['refuse', 'strings'])
  .default('refuse')
  .describe('What to do with integers that JavaScript would round.');
