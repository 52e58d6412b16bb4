import type { Fact } from '@pawl/dag-core';
import fc from 'fast-check';
import { expect } from 'vitest';
import { damages } from './damage.ts';
import type { StoredRun } from './database.ts';
import type { Model } from './invariants.ts';
import type { Luck, Wish, World } from './world.ts';

/** One thing that happens. Numbers choose among what there is then, so that every one means something in every state. */
class Happening implements fc.AsyncCommand<Model, World> {
  readonly #name: string;
  readonly #happen: (world: World) => Promise<unknown> | unknown;
  constructor(name: string, happen: (world: World) => Promise<unknown> | unknown) {
    this.#name = name;
    this.#happen = happen;
  }
  check = () => true;
  async run(model: Model, world: World): Promise<void> {
    await this.#happen(world);
    expect(model.brokenSince(world)).toEqual([]);
  }
  toString = () => this.#name;
}

const at = <T>(list: readonly T[], n: number): T | undefined =>
  list.length > 0 ? list[n % list.length] : undefined;
const some = fc.nat({ max: 1_000 });

/** Something about one run. */
const about = (name: string, happen: (world: World, run: StoredRun) => Promise<unknown> | unknown) =>
  some.map(
    (n) =>
      new Happening(`${name}(${n})`, (world) => {
        const run = at(world.runs, n);
        return run && happen(world, run);
      }),
  );
const told = (name: string, fact: Fact) => about(name, (world, run) => world.tell(run, fact));
/** Workers that hold something, those with a request under way first: what happens to the others changes little. */
const busyFirst = ({ workers }: World) =>
  [...workers]
    .sort((a, b) => weightOf(b) - weightOf(a))
    .filter((each, i) => i === 0 || each.tasks.length > 0);
const weightOf = ({ tasks }: World['workers'][number]) =>
  tasks.length + (tasks.some(({ phase }) => phase === 'sent') ? 100 : 0);
const worker = (name: string, happen: (world: World, worker: World['workers'][number]) => unknown) =>
  some.map((n) => new Happening(`${name}(${n})`, (world) => void happen(world, at(busyFirst(world), n)!)));

const lucks: Luck[] = ['good', 'good', 'good', 'transient', 'permanent', 'cut', 'lost_before', 'lost_after'];

const wishes: Wish[] = ['decide', 'retry', 'edit', 'skip'];
const asksPerson = ({ rows }: StoredRun) =>
  rows
    .openUnder('')
    .filter(({ status, reason }) => status === 'uncertain' || reason === 'failure' || reason === 'approval');

const often = <T>(times: number, happening: T): T[] => Array.from({ length: times }, () => happening);

/** A run of a random flow, with so many tokens. */
export const starts = fc.record({
  seed: fc.nat(),
  size: fc.integer({ min: 1, max: 9 }),
  tokens: fc.integer({ min: 0, max: 80 }),
});

/** What stops or holds up a whole run; most runs should come to more than that. */
const aboutWholeRuns = fc.oneof(
  told('cancel', { type: 'cancel', by: 'ada' }),
  ...often(2, told('cancelAndUndo', { type: 'cancel', by: 'ada', compensate: true })),
  told('graceOver', { type: 'graceOver' }),
  told('pause', { type: 'pauseRun', by: 'ada' }),
  told('timeOut', { type: 'timedOut' }),
  told('overtime', { type: 'overtime' }),
);

/** Everything that may happen to the system; what carries work on happens more often than what gets in its way. */
export const happenings = [
  starts.map(
    (start) =>
      new Happening(`start(${Object.values(start)})`, (world) => world.topmost < 4 && world.start(start)),
  ),
  ...often(
    8,
    fc.tuple(some, some).map(
      ([n, k]) =>
        new Happening(`deliver(${n}, ${k})`, (world) => {
          world.relay();
          const to = at(
            world.workers.filter(({ isFrozen }) => !isFrozen),
            n,
          );
          if (to && world.queue.length > 0) world.deliver(to, k % world.queue.length);
        }),
    ),
  ),
  ...often(
    16,
    fc.tuple(some, some, fc.constantFrom(...lucks)).map(
      ([n, k, luck]) =>
        new Happening(`work(${n}, ${k}, ${luck})`, async (world) => {
          const busy = at(
            world.workers.filter(({ isFrozen, tasks }) => !isFrozen && tasks.length > 0),
            n,
          );
          if (busy) await world.work(busy, k % busy.tasks.length, luck);
          else if (world.workers[0]!.isFrozen === false && world.queue.length > 0)
            world.deliver(world.workers[0]!, 0);
        }),
    ),
  ),
  some.map(
    (n) =>
      new Happening(`duplicate(${n})`, (world) => {
        const bell = at(world.queue, n);
        if (bell) world.queue.push(bell);
      }),
  ),
  some.map(
    (n) =>
      new Happening(
        `lose(${n})`,
        (world) => void (world.queue.length > 0 && world.queue.splice(n % world.queue.length, 1)),
      ),
  ),
  some.map(
    (n) =>
      new Happening(
        `shuffle(${n})`,
        (world) => void world.queue.unshift(...world.queue.splice(n % (world.queue.length + 1))),
      ),
  ),
  fc.constant(new Happening('relay', (world) => world.relay())),
  fc.constant(new Happening('emptyQueue', (world) => void world.queue.splice(0))),
  worker('crash', (world, each) => world.crash(each)),
  worker('freeze', (_, each) => {
    each.isFrozen = true;
  }),
  worker('thaw', (world) => {
    for (const each of world.workers) world.thaw(each);
  }),
  // Stopped for longer than its lease, and taken over from.
  ...often(
    2,
    some.map(
      (n) =>
        new Happening(`stall(${n})`, async (world) => {
          at(busyFirst(world), n)!.isFrozen = true;
          world.pass(16_000);
          await world.sweep();
        }),
    ),
  ),
  fc
    .constantFrom(10, 1_000, 6_000, 16_000)
    .map((ms) => new Happening(`pass(${ms})`, (world) => world.pass(ms))),
  fc.constant(new Happening('sweep', (world) => world.sweep())),
  // Whatever was under way is gone: commits that were not answered, and doorbells that were not on the disk yet.
  some.map(
    (n) =>
      new Happening(`restartDatabase(${n})`, (world) => {
        world.queue.splice(n % (world.queue.length + 1));
      }),
  ),
  ...often(2, aboutWholeRuns),
  told('resume', { type: 'resumeRun', by: 'ada' }),
  fc.tuple(some, fc.integer({ min: 10, max: 200 })).map(
    ([n, tokens]) =>
      new Happening(`raise(${n}, ${tokens})`, async (world) => {
        const run = at(world.runs, n);
        const { spent, reserved } = run?.state ?? {};
        if (run && spent!.tokens + reserved!.tokens <= tokens)
          await world.tell(run, { type: 'raiseBudget', limits: { tokens }, by: 'ada' });
      }),
  ),
  ...often(
    2,
    fc.tuple(some, some, fc.constantFrom(...wishes)).map(
      ([n, k, wish]) =>
        new Happening(`${wish}(${n}, ${k})`, async (world) => {
          const asked = world.runs.flatMap((run) => asksPerson(run).map((row) => ({ run, row })));
          const { run, row } = at(asked, n + k) ?? {};
          if (run && row) await world.decide(run, row, wish);
        }),
    ),
  ),
  // F4: what one run said to another is told, and perhaps again; or nobody tells it who knew of it.
  ...often(
    4,
    fc.tuple(some, fc.constantFrom('', '', 'dies' as const)).map(
      ([n, dies]) =>
        new Happening(`hear(${n}, ${dies})`, async (world) => {
          const [word] = world.said.splice(n % (world.said.length || 1), 1);
          if (word) await world.hear(word, dies || undefined);
        }),
    ),
  ),
  some.map((n) => new Happening(`leaveUntold(${n})`, (world) => void world.said.splice(n % 5))),
  // T22: a service does what it took, or does not, and says so; once, twice, or never.
  ...often(
    3,
    fc
      .tuple(some, fc.constantFrom('done' as const, 'done' as const, 'not_now' as const, 'refused' as const))
      .map(
        ([n, says]) =>
          new Happening(`serve(${n}, ${says})`, ({ outside }) => {
            if (outside.taken.length > 0) outside.serve(n % outside.taken.length, says);
          }),
      ),
  ),
  ...often(
    3,
    fc.tuple(some, fc.constantFrom('once' as const, 'again' as const)).map(
      ([n, times]) =>
        new Happening(`callBack(${n}, ${times})`, async (world) => {
          const { callbacks } = world.outside;
          const callback = at(callbacks, n);
          if (!callback) return;
          if (times === 'once') callbacks.splice(callbacks.indexOf(callback), 1);
          await world.callBack(callback);
        }),
    ),
  ),
  ...often(
    2,
    fc.tuple(some, some, fc.constantFrom(...damages)).map(
      ([n, k, damage]) =>
        new Happening(`damage ${damage.name}(${n}, ${k})`, (world) => {
          const run = at(world.runs, n);
          const row = run && at([...run.rows.byPath.values()], k);
          if (row) world.repair(run, damage, row);
        }),
    ),
  ),
];
