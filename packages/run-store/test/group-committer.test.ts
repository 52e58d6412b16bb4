// Which mistake would this catch? Entries that overtake each other, wait for a timer, are lost, or go down with a bad neighbour.
import { describe, expect, test } from 'vitest';
import { GroupCommitter, type GroupCommitterOptions } from '../src/group-committer.ts';

interface Entry {
  readonly key: string;
  readonly value: number;
}
interface Batch {
  readonly values: string[];
  answer(): void;
  fail(error: Error): void;
}

/** A committer whose batches end when the test says so. */
function byHand(options: Partial<GroupCommitterOptions<Entry, string>> = {}) {
  const batches: Batch[] = [];
  const committer = new GroupCommitter<Entry, string>({
    keyOf: (entry) => entry.key,
    batchSize: 4,
    batchesInFlight: 1,
    send: (entries) =>
      new Promise((resolve, reject) => {
        const values = entries.map(({ key, value }) => `${key}${value}`);
        batches.push({ values, answer: () => resolve(values), fail: reject });
      }),
    ...options,
  });
  const done: string[] = [];
  const commit = (text: string): Promise<string> => {
    const result = committer.commit({ key: text[0]!, value: Number(text.slice(1)) });
    result.then((value) => done.push(value)).catch(() => {});
    return result;
  };
  return { committer, batches, done, commit };
}

/** Everything that is due has happened. */
const turn = async () => {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
};

describe('gathering', () => {
  test('entries of one turn leave together at once, in the order they came', async () => {
    const { batches, commit } = byHand();
    for (const text of ['a1', 'b1', 'c1']) void commit(text);
    await turn();
    expect(batches.map((batch) => batch.values)).toEqual([['a1', 'b1', 'c1']]);
  });

  test('while a batch is in flight everything that arrives joins the next one', async () => {
    const { batches, commit, done } = byHand();
    void commit('a1');
    await turn();
    for (const text of ['b1', 'c1', 'd1']) {
      void commit(text);
      await turn();
    }
    expect(batches).toHaveLength(1);
    batches[0]!.answer();
    await turn();
    expect(batches[1]!.values).toEqual(['b1', 'c1', 'd1']);
    expect(done).toEqual(['a1']);
  });

  test('a batch holds no more than its size, and the rest follows', async () => {
    const { batches, commit } = byHand();
    for (let i = 1; i <= 6; i++) void commit(`${String.fromCharCode(96 + i)}1`);
    await turn();
    expect(batches.map((batch) => batch.values.length)).toEqual([4]);
    batches[0]!.answer();
    await turn();
    expect(batches[1]!.values).toEqual(['e1', 'f1']);
  });

  test('as many batches are in flight as allowed', async () => {
    const { batches, commit } = byHand({ batchesInFlight: 2, batchSize: 1 });
    for (const text of ['a1', 'b1', 'c1']) void commit(text);
    await turn();
    expect(batches.map((batch) => batch.values)).toEqual([['a1'], ['b1']]);
    batches[1]!.answer();
    await turn();
    expect(batches[2]!.values).toEqual(['c1']);
  });

  test('counts what waits or is under way', async () => {
    const { batches, commit, committer } = byHand({ batchSize: 1 });
    expect(committer.size).toBe(0);
    for (const text of ['a1', 'b1', 'c1']) void commit(text);
    await turn();
    expect(committer.size).toBe(3);
    for (let i = 0; i < 3; i++) {
      batches[i]!.answer();
      await turn();
    }
    expect(committer.size).toBe(0);
  });
});

describe('order of one key', () => {
  test('an entry whose key is in flight waits, others pass it', async () => {
    const { batches, commit } = byHand({ batchesInFlight: 2 });
    void commit('a1');
    await turn();
    void commit('a2');
    void commit('b1');
    await turn();
    expect(batches.map((batch) => batch.values)).toEqual([['a1'], ['b1']]);
    batches[1]!.answer();
    await turn();
    expect(batches).toHaveLength(2);
    batches[0]!.answer();
    await turn();
    expect(batches[2]!.values).toEqual(['a2']);
  });

  test('entries of one key go into one batch in order', async () => {
    const { batches, commit } = byHand();
    for (const text of ['a1', 'b1', 'a2', 'a3']) void commit(text);
    await turn();
    expect(batches[0]!.values).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  test('a later entry never passes an earlier one of its key that no longer fits', async () => {
    const { batches, commit } = byHand({ batchSize: 2, batchesInFlight: 2 });
    for (const text of ['a1', 'b1', 'a2', 'c1', 'a3']) void commit(text);
    await turn();
    // a2 waits for the batch of a1; so must a3, though the second batch has room for it.
    expect(batches.map((batch) => batch.values)).toEqual([['a1', 'b1'], ['c1']]);
    batches[0]!.answer();
    await turn();
    expect(batches[2]!.values).toEqual(['a2', 'a3']);
  });

  test('with one per key a second entry of a key waits for the next batch', async () => {
    const { batches, commit } = byHand({ isOnePerKey: true, batchesInFlight: 2 });
    for (const text of ['a1', 'b1', 'a2', 'a3']) void commit(text);
    await turn();
    expect(batches.map((batch) => batch.values)).toEqual([['a1', 'b1']]);
    batches[0]!.answer();
    await turn();
    batches[1]!.answer();
    await turn();
    expect(batches.slice(1).map((batch) => batch.values)).toEqual([['a2'], ['a3']]);
  });
});

describe('failure', () => {
  const bad = new Error('a2 is bad');
  /** Refuses every batch that holds a2. */
  const refusing = (isolate?: (error: unknown) => boolean) => {
    const sent: string[][] = [];
    const made = byHand({
      send: async (entries) => {
        const values = entries.map(({ key, value }) => `${key}${value}`);
        sent.push(values);
        if (values.includes('a2')) throw bad;
        return values;
      },
      ...(isolate && { isolate }),
    });
    return { ...made, sent };
  };

  test('of one entry does not take its neighbours down: they are sent again one by one, in order', async () => {
    const { commit, sent } = refusing(() => true);
    const results = await Promise.allSettled(['a1', 'a2', 'b1'].map(commit));
    expect(results).toEqual([
      { status: 'fulfilled', value: 'a1' },
      { status: 'rejected', reason: bad },
      { status: 'fulfilled', value: 'b1' },
    ]);
    expect(sent).toEqual([['a1', 'a2', 'b1'], ['a1'], ['a2'], ['b1']]);
  });

  test('that no single entry can have caused rejects the batch', async () => {
    const { commit, sent } = refusing(() => false);
    const results = await Promise.allSettled(['a1', 'a2'].map(commit));
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected']);
    expect(sent).toHaveLength(1);
  });

  test('of a single entry is not sent again', async () => {
    const { commit, sent } = refusing(() => true);
    await expect(commit('a2')).rejects.toBe(bad);
    expect(sent).toHaveLength(1);
  });

  test('leaves the keys free and the next batch on its way', async () => {
    const { batches, commit, committer } = byHand();
    const first = commit('a1');
    await turn();
    const second = commit('a2');
    batches[0]!.fail(bad);
    await expect(first).rejects.toBe(bad);
    await turn();
    batches[1]!.answer();
    expect(await second).toBe('a2');
    await turn();
    expect(committer.size).toBe(0);
  });
});
