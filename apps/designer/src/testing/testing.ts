import type { Json, TestPart } from '@pawl/dag-core';
import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { NodeRunMoment } from '../run/history.ts';
import type { How } from './choices.ts';
import type { Marks } from './marks.ts';

/** What a person chose for the last test, offered again for the next. */
interface Remembered {
  readonly input?: Json | undefined;
  readonly chosen: Readonly<Record<string, How>>;
  /** Outputs that were made up, as they were written. */
  readonly mocks: Readonly<Record<string, Mock>>;
}

export interface Mock {
  readonly output: Json;
  readonly port?: string;
}

/** Tests of one draft: the one that is asked for, and the one that is shown on the canvas. */
export interface Testing {
  readonly asked?: TestPart | undefined;
  readonly runId?: string | undefined;
  readonly marks: Marks;
  readonly remembered: Remembered;
  set(part: Partial<Pick<Testing, 'asked' | 'runId' | 'marks' | 'remembered'>>): void;
}

export const createTesting = (): StoreApi<Testing> =>
  createStore<Testing>((set) => ({
    marks: {},
    remembered: { chosen: {}, mocks: {} },
    set: (part) => set(part),
  }));

export const TestingContext = createContext<StoreApi<Testing>>(createTesting());

/** The store itself, for what happens in handlers. */
export const useTestingStore = (): StoreApi<Testing> => useContext(TestingContext);

export const useTesting = <T>(select: (testing: Testing) => T): T => useStore(useTestingStore(), select);

/** How a node stands in the test that is shown. */
export const useMark = (id: string): NodeRunMoment | undefined => useTesting(({ marks }) => marks[id]);
