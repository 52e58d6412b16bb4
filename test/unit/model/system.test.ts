// Would catch: a sequence of deaths, lost and doubled doorbells, late answers and decisions that repeats an effect, forgets one,
// blocks a run for ever, or leaves rows that the journal does not tell.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { happenings, starts } from './commands.ts';
import { Model } from './invariants.ts';
import { World } from './world.ts';

// A failure prints the happenings it was shrunk to, with a seed and a path; these run it again alone:
// PAWL_MODEL_SEED=<seed> PAWL_MODEL_PATH=<path> PAWL_MODEL_REPLAY=<replayPath> npx vitest run --project unit test/unit/model
const { PAWL_MODEL_SEED, PAWL_MODEL_PATH, PAWL_MODEL_REPLAY, PAWL_MODEL_RUNS = '500' } = process.env;

it('V1–V12: whatever happens in whatever order, and once all is well every run ends (V9)', async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      starts,
      fc.commands(happenings, {
        maxCommands: 120,
        size: 'max',
        ...(PAWL_MODEL_REPLAY && { replayPath: PAWL_MODEL_REPLAY }),
      }),
      async (first, commands) => {
        const world = new World();
        world.start(first);
        const model = new Model();
        await fc.asyncModelRun(() => ({ model, real: world }), commands);
        expect(await world.calmDown(), 'rounds until every run has ended').toBeLessThan(2_000);
        expect(model.broken(world)).toEqual([]);
        for (const sight of sights(world)) seen.set(sight, (seen.get(sight) ?? 0) + 1);
      },
    ),
    {
      numRuns: Number(PAWL_MODEL_RUNS),
      ...(PAWL_MODEL_SEED && { seed: Number(PAWL_MODEL_SEED) }),
      ...(PAWL_MODEL_PATH && { path: PAWL_MODEL_PATH }),
    },
  );
  // What never happened proves nothing.
  if (!PAWL_MODEL_SEED) expect(RARE.filter((sight) => !seen.has(sight))).toEqual([]);
}, 600_000);

/** What must have been seen at least once among all runs; each is seen often enough that chance does not withhold it. */
const RARE = [
  'attempt.lost ready',
  'attempt.lost uncertain',
  'nodeRun.waiting uncertain',
  'nodeRun.waiting blocked',
  'nodeRun.resumed settled',
  'nodeRun.resumed budget',
  'nodeRun.resumed timer',
  'outcome.failed retry',
  'outcome.failed pause',
  'outcome.late',
  'compensation.planned',
  'run.cancelRequested',
  'run.timedOut',
  'map.expanded',
  'loop.continued',
  'agent.continued',
  'outcome.failed tell',
  'probe.answered not_applied',
  'refused by the fence',
  'flow.ended succeeded',
  'flow.ended cancelled',
  'flow.granted',
  'flow.passedOn',
  'a cancel from above',
  'a word that changes nothing',
  'outcome.succeeded by callback',
  'outcome.late by callback',
  'repaired row',
  'repaired status',
  'repaired counts',
  'repaired run counts',
  'repair refused',
  'an edited retry',
];

/** What can be seen in the journals of a world, and what no journal tells. */
function sights(world: World): Set<string> {
  const found = new Set<string>(world.sights);
  for (const { journal } of world.runs)
    for (const { type, data } of journal) {
      found.add(type);
      for (const member of ['next', 'status', 'reason', 'says'] as const)
        if (member in data) found.add(`${type} ${String((data as Record<string, unknown>)[member])}`);
      if ('callback' in data) found.add(`${type} by callback`);
      if ('settledBy' in data && data.settledBy === 'callback') found.add('a doubt settled by callback');
      if (type === 'inbox.answered' && data.values !== undefined) found.add('an edited retry');
      if (type === 'run.cancelRequested' && data.by === 'parent') found.add('a cancel from above');
    }
  return found;
}
