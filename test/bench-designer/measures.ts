import type { Measured } from './samples.ts';

// What is measured, what for, and what is aimed at (docs/performance.md).

const SIZED = {
  open: {
    what: 'from the beginning of the navigation, with a warm cache, until a frame shows every node and edge',
    aim: (size: number) => (size === 1_000 ? { ratio: 3 } : undefined),
  },
  pan: {
    what: 'the canvas is dragged at zoom 1, nodes come and go: the frame that 95 of 100 do not pass',
    aim: () => ({ ratio: 1.3 }),
  },
  'pan-whole': {
    what: 'the same while the whole flow is in view',
    aim: () => ({ ratio: 1.3 }),
  },
  drag: {
    what: 'a node is dragged at zoom 1: the frame that 95 of 100 do not pass',
    aim: () => ({ ratio: 1.3 }),
  },
  select: {
    what: 'from the press on a node until a frame shows its inspector; bare: that it is selected',
    aim: () => ({ ms: 100 }),
  },
  problems: {
    what: 'from an edit until the list of problems says what follows from it, the pause before looking included',
    aim: () => undefined,
  },
  tidy: {
    what: 'all nodes get the places that ELK found in a worker, at zoom 1: the longest frame; bare: they are given them',
    aim: () => ({ ms: 50 }),
  },
  'tidy-whole': {
    what: 'the same while the whole flow is in view',
    aim: () => ({ ms: 50 }),
  },
} as const;

const UNSIZED = {
  load: {
    what: 'a flow of 50 nodes is opened with nothing in the cache, from this machine',
    aim: undefined,
  },
  status: {
    what: 'while 200 nodes run: from the arrival of an event in the page until a frame shows it, 95 of 100',
    aim: { ms: 150 },
  },
} as const;

export type SizedMeasure = keyof typeof SIZED;
export const SIZED_MEASURES = Object.keys(SIZED) as SizedMeasure[];

/** Names for `--only`. */
export const MEASURES: readonly string[] = ['bundles', ...Object.keys(UNSIZED), ...SIZED_MEASURES];

export const sized = (name: SizedMeasure, size: number): Measured => ({
  name,
  size,
  what: SIZED[name].what,
  aim: SIZED[name].aim(size),
});

export const unsized = (name: keyof typeof UNSIZED): Measured => ({ name, ...UNSIZED[name] });
