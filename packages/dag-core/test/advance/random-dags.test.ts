// Which mistake would this catch? A rule of "what next" that holds in drawn examples only: a run that never ends, a node that ran
// though its join said no, an end that depends on who was faster, a journal that tells another story than the rows.
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  childPath,
  compileGraph,
  type FlowDocument,
  type FlowGraph,
  foldJournal,
  type GraphEdge,
  type GraphScope,
  isTerminalNodeRun,
  isTerminalRun,
  type NodeRunState,
  parsePath,
  type RecordedEvent,
} from '../../src/index.ts';
import { type Outcome, type Played, play } from './play.ts';
import { callsOf, itemsOf, outcomeOf, pickOf, randomFlow, randomFrom } from './random-flows.ts';

// Seconds on an idle machine; a busy one must not fail them.
vi.setConfig({ testTimeout: 60_000 });

const seeds = fc.record({ seed: fc.nat(), size: fc.integer({ min: 3, max: 25 }), order: fc.nat() });

/** A random flow with what its node runs do, ready to be played in several orders. */
class RandomRun {
  readonly document: FlowDocument;
  readonly graph: FlowGraph;
  readonly seed: number;
  readonly failing: number;

  constructor(seed: number, size: number) {
    this.seed = seed;
    this.document = randomFlow(seed, { size });
    this.graph = compileGraph(this.document);
    this.failing = pickOf(randomFrom(seed ^ 0x9e37), [0, 0.05, 0.15, 0.4]);
  }

  outcome(path: string): Outcome {
    return outcomeOf(this.seed, path, this.failing);
  }

  play(pick: (open: readonly string[]) => string): Played {
    return play(this.document, {
      outcome: (path) => this.outcome(path),
      items: (path) => itemsOf(this.graph.nodes, path),
      calls: (path) => callsOf(this.seed, this.graph, path),
      pick,
    });
  }

  inOrder(order: number): Played {
    const random = randomFrom(order);
    return this.play((open) => pickOf(random, open));
  }
}

describe('every run', () => {
  it('ends, and every node run of it ends (V9, E6, E9)', () => {
    fc.assert(
      fc.property(seeds, ({ seed, size, order }) => {
        const { view, rows, starts } = new RandomRun(seed, size).inOrder(order);
        expect(isTerminalRun(view.run.status), view.run.status).toBe(true);
        for (const row of rows.byPath.values())
          expect(isTerminalNodeRun(row.status), `${row.path} is ${row.status}`).toBe(true);
        expect(view.run).toMatchObject({ activeCount: 0, reserved: { costNanoUsd: 0 } });
        for (const [path, count] of starts) {
          const { node, itemIndex } = parsePath(view.graph, path)!;
          const isContainer = node.body && itemIndex === undefined;
          const turns = ['loop', 'agent'].includes(node.config.kind)
            ? itemsOf(view.graph.nodes, node.id).length
            : 1;
          expect(count, path).toBeLessThanOrEqual(isContainer ? turns + 1 : 1);
        }
      }),
      { numRuns: 1_500 },
    );
  });

  it('runs a node exactly when its join condition holds, and names what killed it otherwise (E2, E3, E5)', () => {
    fc.assert(
      fc.property(seeds, ({ seed, size, order }) => {
        const run = new RandomRun(seed, size);
        const played = run.inOrder(order);
        for (const [scopePath, scope] of scopesOf(run.graph, played))
          checkScope(run, played, scopePath, scope);
      }),
      { numRuns: 1_500 },
    );
  });

  it('says partial exactly when something failed and was continued past, or is degraded (E10)', () => {
    fc.assert(
      fc.property(seeds, ({ seed, size, order }) => {
        const run = new RandomRun(seed, size);
        const { view, rows, journal } = run.inOrder(order);
        if (view.run.status === 'failed') return;
        const isPartial = [...rows.byPath.values()].some(
          (row) => !isItem(row) && row.status === 'failed' && !parsePath(view.graph, row.path)!.node.tells,
        );
        const isDegraded = journal.some(
          (event) =>
            (event.type === 'outcome.succeeded' && event.data.degraded !== undefined) ||
            (event.type === 'outcome.failed' && event.data.next === 'fallback'),
        );
        expect(view.run.status).toBe(isPartial || isDegraded ? 'partial' : 'succeeded');
      }),
      { numRuns: 700 },
    );
  });
});

// What the order of completions may change: a scope (the run, a map, an item of a map) that a failure stops ends the same, but
// inside it node runs may end, be cancelled or never be reached, and which failure is named first. Everything outside such scopes
// is the same, a `first` join included: whether it runs depends on whether any edge is live, not on which was first.
it('ends the same in every order of completions, inside stopped scopes excepted', () => {
  fc.assert(
    fc.property(seeds, fc.nat(), ({ seed, size, order }, other) => {
      const run = new RandomRun(seed, size);
      const plays = [
        run.inOrder(order),
        run.inOrder(other),
        run.play((open) => open[0]!),
        run.play((open) => open.at(-1)!),
      ];
      const [first, ...rest] = plays.map((played) => comparable(played));
      for (const next of rest) expect(next).toEqual(first);
    }),
    { numRuns: 700 },
  );
});

describe('the journal', () => {
  it('folds to the state of the run (J2, V12)', () => {
    fc.assert(
      fc.property(seeds, ({ seed, size, order }) => {
        const run = new RandomRun(seed, size);
        const played = run.inOrder(order);
        const fold = foldJournal(run.graph, recorded(played));
        expect(fold.run).toEqual(played.view.run);
        expect(bare(fold.rows.byPath)).toEqual(bare(played.rows.byPath));
      }),
      { numRuns: 700 },
    );
  });

  it('folds at every length, and only a whole one has ended (J2)', () => {
    fc.assert(
      fc.property(seeds, ({ seed, size, order }) => {
        const run = new RandomRun(seed, Math.min(size, 12));
        const journal = recorded(run.inOrder(order)).slice(0, 80);
        for (let length = 1; length <= journal.length; length++) {
          const { run: state } = foldJournal(run.graph, journal.slice(0, length));
          expect(state.nextSeq).toBe(length + 1);
        }
      }),
      { numRuns: 150 },
    );
  });
});

const isItem = ({ kind }: NodeRunState): boolean => kind === 'item' || kind === 'turn';

const recorded = ({ journal }: Played): RecordedEvent[] =>
  journal.map((event, i) => ({ ...event, seq: i + 1, at: 0 }));

/** Rows without the worker's name, which no event tells. */
const bare = (rows: ReadonlyMap<string, NodeRunState>) =>
  new Map([...rows].map(([path, row]) => [path, { ...row, workerId: undefined }]));

/** Every scope that was started, with its path. */
function* scopesOf(graph: FlowGraph, { rows }: Played): Generator<[string, GraphScope]> {
  yield ['', graph.root];
  for (const row of rows.byPath.values())
    if (row.kind === 'item') yield [row.path, graph.nodes.get(row.nodeId)!.body!];
}

/** True when a failure stopped the run, or a map or an item around `path`. */
function isInStopped(played: Played, path: string): boolean {
  for (let scope = path; scope !== ''; ) {
    scope = scope.slice(0, Math.max(0, scope.lastIndexOf('/')));
    if (scope === '') break;
    const { status, failure } = played.rows.get(scope)!;
    if (status === 'cancelled' || failure !== undefined) return true;
  }
  return played.view.run.status === 'failed';
}

function comparable(played: Played): object {
  const nodeRuns: Record<string, unknown> = {};
  for (const row of played.rows.byPath.values()) {
    if (isInStopped(played, row.path)) continue;
    nodeRuns[row.path] = { status: row.status, ...(row.status === 'skipped' && { killedBy: row.deadEdges }) };
  }
  return { run: played.view.run.status, nodeRuns: sorted(nodeRuns) };
}

const sorted = (record: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

function checkScope(run: RandomRun, played: Played, scopePath: string, scope: GraphScope): void {
  const isStopped = isInStopped(played, childPath(scopePath, 'x'));
  for (const node of scope.nodes) {
    const path = childPath(scopePath, node.id);
    const row = played.rows.get(path);
    if (!isStopped) expect(row, `${path} was never reached`).toBeDefined();
    if (node.inbound.length === 0 || !row) continue;
    const edges = node.inbound.map((edge) => stateOf(run, played, scopePath, edge));
    const live = edges.filter((state) => state === 'live').length;
    const open = edges.filter((state) => state === 'open').length;
    const rule = node.inbound.length === 1 ? 'some' : (node.config.join ?? 'some');
    const isEvery = live === edges.length;
    const holds = rule === 'first' ? live > 0 : open === 0 && live > 0 && (rule === 'some' || isEvery);
    const hasRun = (played.starts.get(path) ?? 0) > 0;
    if (isStopped) {
      if (hasRun) expect(holds, `${path} ran`).toBe(true);
    } else expect(hasRun, `${path} with ${edges.join(', ')} and join ${rule}`).toBe(holds);
    if (row.status === 'skipped') {
      expect(holds || open > 0, `${path} was skipped`).toBe(false);
      const dead = node.inbound.filter((_, i) => edges[i] === 'dead').map((edge) => edge.name);
      expect(row.deadEdges, `what killed ${path}`).toEqual(dead);
    }
  }
}

/** What became of an edge, told from its source's end alone. */
function stateOf(
  run: RandomRun,
  played: Played,
  scopePath: string,
  edge: GraphEdge,
): 'live' | 'dead' | 'open' {
  const path = childPath(scopePath, edge.from.id);
  const source = played.rows.get(path);
  if (!source || !isTerminalNodeRun(source.status) || source.status === 'cancelled') return 'open';
  if (source.status === 'skipped') return 'dead';
  const onError = edge.from.config.onError?.do;
  const didFail = source.failure !== undefined;
  if (didFail && onError !== 'continue' && onError !== 'fallback') return 'open'; // it stopped the scope
  const outcome = run.outcome(path);
  const ports = didFail
    ? [onError === 'continue' ? 'error' : '']
    : edge.from.body || edge.from.config.kind === 'wait' || outcome === 'fail'
      ? ['']
      : (outcome.ports ?? ['']);
  return ports.includes(edge.port) ? 'live' : 'dead';
}
