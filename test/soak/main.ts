import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isTerminalRun, type Json } from '@pawl/dag-core';
import { checkRowsEqualFold } from '@pawl/run-store';
import pg from 'pg';
import { findRedis } from '../support/process.ts';
import { makeMischief } from './chaos.ts';
import { drawn } from './drawn.ts';
import { EXAMPLES, type SoakFlow, type SoakRun, soakFlows } from './flows.ts';
import { leftOpen } from './left-open.ts';
import { SoakSystem } from './system.ts';

// npm run soak: real engines, workers and servers under random deaths for as long as asked, then everything is checked. Ends with
// 1 when anything that was promised did not hold. See docs/reliability.md.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    backend: { type: 'string', default: findRedis() ? 'redis' : 'postgres' },
    workers: { type: 'string', default: '3' },
    engines: { type: 'string', default: '2' },
    runs: { type: 'string', default: '16' },
    only: { type: 'string' },
  },
});
const say = (line: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
/** Runs must end this long after the last mischief (V9), with nobody but the machine in their way. */
const BOUND_MS = 120_000;

const random = seeded(Number(values.seed));
const system = await SoakSystem.start({
  redis: values.backend === 'redis',
  engines: Number(values.engines),
  workers: Number(values.workers),
  examples: Object.keys(EXAMPLES),
});
say(`seed ${values.seed}, queue on ${values.backend}, ${values.minutes} minutes`);
const violations: string[] = [];
try {
  process.stdout.write(`${JSON.stringify(await soak(), null, 2)}\n`);
} catch (error) {
  violations.push(`the soak itself failed: ${(error as Error).stack}`);
} finally {
  await system.stop();
}
for (const violation of violations) say(`VIOLATION ${violation}`);
process.exit(violations.length > 0 ? 1 : 0);

async function soak(): Promise<object> {
  const all = await soakFlows();
  const names = values.only?.split(',') ?? all.map(({ document }) => document.name);
  const flows = all.filter(({ document }) => names.includes(document.name));
  for (const { document } of all)
    await retried(() =>
      system.client().publishFlow({ params: { flow: document.name }, body: document as never }),
    );
  const endsAt = Date.now() + Number(values.minutes) * 60_000;
  let isOver = false;
  const started = new Map<string, Json>();
  const open = new Set<string>();
  const starting = keepStarting(flows, started, open, () => Date.now() >= endsAt);
  const people = decide(() => isOver);
  const mischief = await makeMischief(system, random, () => Date.now() >= endsAt, say);
  await starting;
  say(`mischief is over; ${open.size} of ${started.size} runs are open`);
  const calmAt = Date.now();
  await waitForEnds(open);
  const calmMs = Date.now() - calmAt;
  if (open.size > 0) for (const line of await leftOpen(system.databaseUrl)) say(line);
  isOver = true;
  const decisions = await people;
  const ends = await check(started, flows);
  return {
    seed: Number(values.seed),
    backend: values.backend,
    minutes: Number(values.minutes),
    runs: started.size,
    ends,
    mischief: Object.fromEntries(mischief),
    decisions: Object.fromEntries(decisions),
    effects: system.ledger.rows.filter((row) => row.isApplied).length,
    lastRunEndedAfterMs: calmMs,
    violations: violations.length,
  };
}

/** Keeps so many runs open; each start has a key, so that one whose answer was lost is the same run. */
async function keepStarting(
  flows: readonly SoakFlow[],
  started: Map<string, Json>,
  open: Set<string>,
  isOver: () => boolean,
) {
  for (let n = 0; !isOver(); n++) {
    const flow = drawn(flows, random);
    const input = flow.input(random);
    const body = { flow: flow.document.name, input, dedupeKey: flow.key?.(input) ?? `soak-${n}` };
    const start = () => retried(() => system.client().startRun({ body }));
    // A slot may be seen by two schedules at once.
    const [{ runId }, second] = await Promise.all([start(), flow.key && start()]);
    if (second && second.runId !== runId)
      violations.push(`start ${n} gave runs ${runId} and ${second.runId}`);
    if (started.has(runId)) violations.push(`start ${n} gave run ${runId} of another start`);
    started.set(runId, input);
    open.add(runId);
    void retried(async () => flow.meanwhile?.(input, system)).catch((error: Error) => say(error.message));
    if (random() < 0.05) void retried(() => system.client().cancelRun({ params: { runId } })).catch(() => {});
    while (open.size >= Number(values.runs) && !isOver()) {
      await pause(100);
      await forgetEnded(open);
    }
  }
}

async function forgetEnded(open: Set<string>): Promise<void> {
  for (const runId of open) {
    const run = await system
      .client()
      .getRun({ params: { runId } })
      .catch(() => undefined);
    if (run && isTerminalRun(run.status)) open.delete(runId);
  }
}

async function waitForEnds(open: Set<string>): Promise<void> {
  const until = Date.now() + BOUND_MS;
  while (open.size > 0 && Date.now() < until) {
    await forgetEnded(open);
    await pause(500);
  }
  for (const runId of open) {
    const run = await system.client().getRun({ params: { runId } });
    violations.push(
      `V9 run ${runId} of ${run.flow} is ${run.status} and waits for ${JSON.stringify(run.waitingFor)}`,
    );
  }
}

/** A person who looks at what really happened and answers what is open. */
async function decide(isOver: () => boolean): Promise<Map<string, number>> {
  const made = new Map<string, number>();
  while (!isOver()) {
    await pause(500);
    const page = await system
      .client()
      .listInbox({ query: { limit: 200 } })
      .catch(() => undefined);
    for (const item of page?.items ?? []) {
      const body = decisionAbout(item);
      const done = await system
        .client()
        .answerQuestion({ params: { question: item.question }, body })
        .catch(() => undefined);
      if (done)
        made.set(`${item.kind} ${body.decision}`, (made.get(`${item.kind} ${body.decision}`) ?? 0) + 1);
    }
  }
  return made;
}

type Item = Awaited<ReturnType<ReturnType<SoakSystem['client']>['listInbox']>>['items'][number];

function decisionAbout(item: Item) {
  if (item.kind === 'approval') return { decision: 'approved' as const };
  if (item.kind === 'failure') return { decision: 'retry' as const };
  const key = item.effect?.key ?? `${item.runId}:${item.path}:0`;
  const happened = system.ledger.of({ key }).find((row) => row.isApplied && row.key === key);
  return happened
    ? { decision: 'happened' as const, output: { op: happened.op, nonce: happened.at } as Json }
    : { decision: 'did_not_happen' as const };
}

/** Everything that was promised, by journal, rows and ledger. */
async function check(
  started: ReadonlyMap<string, Json>,
  flows: readonly SoakFlow[],
): Promise<Record<string, number>> {
  const pool = new pg.Pool({ connectionString: system.databaseUrl, max: 4 });
  try {
    const { differences } = await checkRowsEqualFold(pool);
    for (const { runId, path, fact } of differences) violations.push(`V12 ${runId} ${path}: ${fact} differs`);
    const leftovers = await pool.query(
      "select count(*)::int as n from node_run where status not in ('succeeded', 'failed', 'skipped', 'cancelled', 'compensated')",
    );
    if (leftovers.rows[0].n > 0)
      violations.push(`I15 ${leftovers.rows[0].n} node runs are open after every run has ended`);
    for (const [key, count] of system.ledger.effects())
      if (count > 1) violations.push(`V2, V5 the effect ${key} happened ${count} times`);
    const intents = await pool.query<{ key: string }>(
      "select distinct data->>'key' as key from journal where type = 'intent.recorded'",
    );
    const intended = new Set(intents.rows.map(({ key }) => key));
    for (const key of system.ledger.effects().keys())
      if (!intended.has(key)) violations.push(`V1 the effect ${key} happened without an intent`);
    const runs = await pool.query<Omit<SoakRun, 'input'> & { flow_name: string; failure: Json }>(
      'select id, flow_name, status, failure from run where id = any ($1::uuid[])',
      [[...started.keys()]],
    );
    if (runs.rows.length !== started.size)
      violations.push(`${started.size - runs.rows.length} started runs are gone`);
    const ends: Record<string, number> = {};
    for (const { id, flow_name: name, status, failure } of runs.rows) {
      ends[`${name} ${status}`] = (ends[`${name} ${status}`] ?? 0) + 1;
      const flow = flows.find(({ document }) => document.name === name)!;
      if (!flow.ends.includes(status) && status !== 'cancelled')
        violations.push(`run ${id} of ${name} is ${status}: ${JSON.stringify(failure)}`);
      violations.push(...((await flow.broken?.({ id, status, input: started.get(id)! }, system)) ?? []));
    }
    return ends;
  } finally {
    await pool.end();
  }
}

/** Tries until an engine answers; refusals that say something about the request are not tried again. */
async function retried<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const { status } = error as { status?: number };
      if (status !== undefined && status < 500 && status !== 429 && status !== 409) throw error;
      await pause(300);
    }
  }
}

/** Numbers 0 ≤ x < 1 that follow from a seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
