import type { Fact } from '@pawl/dag-core';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { StoredRun } from './database.ts';
import type { Model } from './invariants.ts';
import { keyOf, type Luck, type World } from './world.ts';

/** One thing that happens. Numbers choose among what there is then, so that every one means something in every state. */
class Happening implements fc.AsyncCommand<Model, World> {
  readonly #name: string;
  readonly #happen: (world: World, model: Model) => Promise<unknown> | unknown;
  constructor(name: string, happen: (world: World, model: Model) => Promise<unknown> | unknown) {
    this.#name = name;
    this.#happen = happen;
  }
  check = () => true;
  async run(model: Model, world: World): Promise<void> {
    await this.#happen(world, model);
    expect(model.broken(world)).toEqual([]);
  }
  toString = () => this.#name;
}

const at = <T>(list: readonly T[], n: number): T | undefined =>
  list.length > 0 ? list[n % list.length] : undefined;
const some = fc.nat({ max: 1_000 });

/** Something about one run. */
const about = (
  name: string,
  happen: (world: World, run: StoredRun, model: Model) => Promise<unknown> | unknown,
) =>
  some.map(
    (n) =>
      new Happening(`${name}(${n})`, (world, model) => {
        const run = at(world.runs, n);
        return run && happen(world, run, model);
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

const often = <T>(times: number, happening: T): T[] => Array.from({ length: times }, () => happening);

/** Everything that may happen to the system; what carries work on happens more often than what gets in its way. */
export const happenings = [
  fc
    .tuple(fc.nat(), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 80 }))
    .map(
      ([seed, size, tokens]) =>
        new Happening(
          `start(${seed}, ${size}, ${tokens})`,
          (world) => world.runs.length < 4 && world.start(seed, size, tokens),
        ),
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
  told('cancel', { type: 'cancel', by: 'ada' }),
  told('cancelAndUndo', { type: 'cancel', by: 'ada', compensate: true }),
  told('graceOver', { type: 'graceOver' }),
  told('pause', { type: 'pauseRun', by: 'ada' }),
  told('resume', { type: 'resumeRun', by: 'ada' }),
  told('timeOut', { type: 'timedOut' }),
  told('overtime', { type: 'overtime' }),
  fc.tuple(some, fc.integer({ min: 10, max: 200 })).map(
    ([n, tokens]) =>
      new Happening(`raise(${n}, ${tokens})`, async (world) => {
        const run = at(world.runs, n);
        const { spent, reserved } = run?.state ?? {};
        if (run && spent!.tokens + reserved!.tokens <= tokens)
          await world.tell(run, { type: 'raiseBudget', limits: { tokens }, by: 'ada' });
      }),
  ),
  fc.tuple(some, some).map(
    ([n, k]) =>
      new Happening(`decide(${n}, ${k})`, async (world, model) => {
        const run = at(world.runs, n);
        const row = run && at(run.rows.openUnder(''), k);
        const decision = row && world.decisionAbout(run, row);
        if (!decision) return;
        const verdict = await world.tell(run, decision);
        const key = keyOf(run, row.path);
        if (verdict === 'applied' && decision.type === 'settle' && decision.verdict === 'did_not_happen')
          model.allowed.set(key, (world.outside.applied.get(key) ?? 0) + 1);
      }),
  ),
  fc.tuple(some, some).map(
    ([n, k]) =>
      new Happening(`retry(${n}, ${k})`, async (world) => {
        const run = at(world.runs, n);
        const row = run && at(run.rows.openUnder(''), k);
        if (row) await world.tell(run, { type: 'retryNode', path: row.path, by: 'ada' });
      }),
  ),
];
