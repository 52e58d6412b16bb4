import { compileGraph, type FlowDocument, type Json, type RecordedEvent } from '@pawl/dag-core';
import { RunHistory } from '../../../src/run/history.ts';
import { RunValues } from '../../../src/run/run-values.ts';

/** What happened in a run, one line for each event: path, type and data. */
export type Told = readonly [path: string, type: RecordedEvent['type'], data?: object];

export const gave = (path: string, output: Json, more: object = {}): Told => [
  path,
  'outcome.succeeded',
  { output, ...more },
];
export const failed = (path: string, code: string, next = 'stop'): Told => [
  path,
  'outcome.failed',
  { failure: { code, message: `${code} at ${path}`, class: 'permanent' }, next },
];

export const historyOf = (document: FlowDocument, input: Json, told: readonly Told[]): RunHistory => {
  const history = new RunHistory(compileGraph(document));
  const admitted = { versionId: 'a'.repeat(64), input, budget: {}, trigger: 'api', seed: 's' };
  const all: readonly Told[] = [['', 'run.admitted', admitted], ...told];
  all.forEach(([path, type, data], at) => {
    const event = { seq: at + 1, at: at * 1_000, type, path, attempt: path ? 1 : 0, data: { v: 1, ...data } };
    history.take(event as RecordedEvent);
  });
  return history;
};

export const aRun = (document: FlowDocument, input: Json, told: readonly Told[]): Promise<RunValues> =>
  RunValues.of(historyOf(document, input, told));
