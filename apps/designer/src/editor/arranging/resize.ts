import type { FlowDocument } from '@pawl/dag-core';
import { type Box, type Drawing, drawingsOf, type Point, type Size } from '../document/layout.ts';
import type { Arrange } from '../operations/operation.ts';
import type { Things } from './carry.ts';

/** Pixels that a note or a frame is made no smaller than. */
export const LEAST_SIZES: Readonly<Record<Drawing, Size>> = {
  note: { width: 120, height: 60 },
  frame: { width: 160, height: 100 },
};

/**
 * Makes notes and frames larger or smaller; their upper left corner stays.
 *
 * @param by pixels of width and height, below 0 for smaller
 */
export function resized(
  document: FlowDocument,
  { notes = [], frames = [] }: Pick<Things, 'notes' | 'frames'>,
  by: Point,
): Arrange {
  const sizes = (drawing: Drawing, ids: readonly string[]): Record<string, Size> => {
    const all: Readonly<Record<string, Box>> = drawingsOf(document, drawing);
    const least = LEAST_SIZES[drawing];
    return Object.fromEntries(
      ids.flatMap((id) => {
        const box = all[id];
        if (!box) return [];
        const { width, height } = box;
        return [[id, { width: add(width, by.x, least.width), height: add(height, by.y, least.height) }]];
      }),
    );
  };
  return { do: 'arrange', as: 'resize', notes: sizes('note', notes), frames: sizes('frame', frames) };
}

/** What is smaller than that already does not grow by being made smaller. */
const add = (size: number, by: number, least: number): number => Math.max(Math.min(size, least), size + by);
