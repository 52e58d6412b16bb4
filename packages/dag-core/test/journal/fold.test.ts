// Which mistake would this catch? A journal that is cut, mixed up or newer than this release being taken for a whole one.
import { describe, expect, it } from 'vitest';
import { compileGraph, foldJournal, JournalCorruptError, type RecordedEvent } from '../../src/index.ts';
import { mapOf, node, Scene } from '../advance/scene.ts';

function aJournal(): { graph: Scene['view']['graph']; events: RecordedEvent[] } {
  const scene = new Scene([node('a'), mapOf('m', [node('x')], { concurrency: 2 })], [{ from: 'a', to: 'm' }]);
  scene.succeed('a');
  scene.tell({ ...scene.claim('m'), type: 'expanded', count: 2, itemsHash: 'h' });
  for (const path of ['m/0/x', 'm/1/x', 'm/1', 'm/0', 'm']) scene.succeed(path);
  scene.tell({ type: 'runEnded', output: 1 });
  return {
    graph: scene.view.graph,
    events: scene.journal.map((event, i) => ({ ...event, seq: i + 1, at: 0 })),
  };
}

describe('foldJournal', () => {
  it('tells the run and every node run (J2)', () => {
    const { graph, events } = aJournal();
    const { run, rows } = foldJournal(graph, events);
    expect(run).toMatchObject({
      status: 'succeeded',
      nextSeq: events.length + 1,
      openCount: 0,
      outputSeq: events.length,
    });
    expect([...rows.byPath.keys()].toSorted()).toEqual(['a', 'm', 'm/0', 'm/0/x', 'm/1', 'm/1/x']);
    expect(rows.get('m')).toMatchObject({ status: 'succeeded', itemCount: 2, doneItems: 2, attempt: 2 });
  });

  it('of nothing is a run before its first event', () => {
    expect(foldJournal(aJournal().graph, []).run).toMatchObject({ status: 'pending', nextSeq: 1 });
  });

  it.each([
    ['a gap', (events: RecordedEvent[]) => events.toSpliced(2, 1), 'Journal event 4 follows 2'],
    [
      'a double',
      (events: RecordedEvent[]) => events.toSpliced(2, 0, events[1]!),
      'Journal event 2 follows 2',
    ],
    ['a late start', (events: RecordedEvent[]) => events.slice(1), 'Journal event 2 follows 0'],
    ['another order', (events: RecordedEvent[]) => events.toReversed(), `follows 0`],
  ])('stops at %s (J1)', (_, spoil, message) => {
    const { graph, events } = aJournal();
    expect(() => foldJournal(graph, spoil(events))).toThrow(JournalCorruptError);
    expect(() => foldJournal(graph, spoil(events))).toThrow(message);
  });

  it('stops at a version of an event that it does not know (J5)', () => {
    const { graph, events } = aJournal();
    const newer = { ...events[2]!, data: { ...events[2]!.data, v: 2 } } as unknown as RecordedEvent;
    expect(() => foldJournal(graph, events.with(2, newer))).toThrow(
      'Journal event 3 has version 2; this release reads 1',
    );
  });

  it('stops at an event of a type that it does not know (J5)', () => {
    const { graph, events } = aJournal();
    const newer = { ...events[2]!, type: 'run.forked' } as unknown as RecordedEvent;
    expect(() => foldJournal(graph, events.with(2, newer))).toThrow('does not know the event run.forked');
  });

  it('stops at an event that does not fit, and names it (J5, T1)', () => {
    const { graph, events } = aJournal();
    const twice = { ...events[1]!, seq: 3 };
    expect(() => foldJournal(graph, [...events.slice(0, 2), twice])).toThrow(
      'Journal event 3 (outcome.succeeded a) does not fit: Node run a cannot succeed from succeeded',
    );
    const early = { ...events.find((event) => event.path === 'm/0/x')!, seq: 2 };
    expect(() => foldJournal(graph, [events[0]!, early])).toThrow('which was never reached');
  });

  it('stops when the journal belongs to another flow', () => {
    const { events } = aJournal();
    const other = compileGraph({ format: 'pawl/1', name: 'other', nodes: [node('b')], edges: [] });
    expect(() => foldJournal(other, events)).toThrow(JournalCorruptError);
  });
});
