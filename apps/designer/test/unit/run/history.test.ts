import { compileGraph, type FlowDocument, foldJournal, type RecordedEvent } from '@pawl/dag-core';
import { describe, expect, it } from 'vitest';
import { GapError, RunHistory } from '../../../src/run/history.ts';
import { spansOf } from '../../../src/run/spans.ts';

const document: FlowDocument = {
  format: 'pawl/1',
  name: 'chain',
  nodes: [
    { id: 'first', kind: 'transform', value: 1 },
    { id: 'ask', kind: 'approval', subject: 'Go on?' },
  ],
  edges: [{ from: 'first', to: 'ask' }],
};
const graph = compileGraph(document);
const event = (seq: number, type: string, path: string, data: object): RecordedEvent =>
  ({ seq, at: seq * 1_000, type, path, attempt: path ? 1 : 0, data: { v: 1, ...data } }) as RecordedEvent;
const journal: readonly RecordedEvent[] = [
  event(1, 'run.admitted', '', {
    versionId: 'a'.repeat(64),
    input: {},
    budget: {},
    trigger: 'api',
    seed: 's',
  }),
  event(2, 'outcome.succeeded', 'first', { output: 1 }),
  event(3, 'inbox.asked', 'ask', { kind: 'approval', subject: 'Go on?', shown: 'b'.repeat(64) }),
  event(4, 'inbox.answered', 'ask', { question: 3, decision: 'approved', by: 'local' }),
];

const taken = (events: readonly RecordedEvent[]): RunHistory => {
  const history = new RunHistory(graph);
  for (const one of events) history.take(one);
  return history;
};

describe('the history of a run', () => {
  it('J2: after every event says what a fold of the journal up to there says', () => {
    const history = taken(journal);
    for (let seq = 1; seq <= journal.length; seq += 1) {
      const fold = foldJournal(graph, journal.slice(0, seq));
      expect(history.runAt(seq)?.status).toBe(fold.run.status);
      for (const id of ['first', 'ask'])
        expect(history.nodeRunAt(id, seq)?.status).toBe(fold.rows.get(id)?.status);
    }
  });

  it('takes an event once, whatever is told again', () => {
    const history = taken(journal);
    expect(journal.map((one) => history.take(one))).toEqual([false, false, false, false]);
    expect(history.events).toHaveLength(4);
  });

  it('refuses an event behind a gap, and names the last one that is here', () => {
    const history = taken(journal.slice(0, 1));
    expect(() => history.take(journal[2]!)).toThrow(new GapError(1, 3));
    expect(history.lastSeq).toBe(1);
  });

  it('V15: tells waiting for people apart, until when it was', () => {
    const asked = taken(journal.slice(0, 3)).nodeRuns.get('ask')!;
    expect(spansOf(asked, 3)).toMatchObject([
      { kind: 'queued' },
      { kind: 'people', from: 3_000, to: undefined },
    ]);
    const answered = taken(journal).nodeRuns.get('ask')!;
    expect(spansOf(answered, 4)).toContainEqual(
      expect.objectContaining({ kind: 'people', from: 3_000, to: 4_000 }),
    );
    expect(spansOf(answered, 3), 'as it looked then').toEqual(spansOf(asked, 3));
  });
});
