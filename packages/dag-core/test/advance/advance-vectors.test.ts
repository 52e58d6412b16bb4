// Which mistake would this catch? A rule of "what next" that disagrees with the shared vectors, under any order of completions.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FlowDocument, Json, NodeConfig } from '../../src/index.ts';
import { type Outcome, type Played, play } from './play.ts';

interface Body {
  edges?: [string, string][];
  nodes?: string[];
}
interface VectorNode {
  join?: 'some' | 'every' | 'first';
  onError?: 'fail' | 'continue' | { fallback: Json };
  map?: {
    over: Json[];
    body: Body;
    itemOutput?: string;
    concurrency?: number;
    onItemError?: 'fail' | 'collect' | 'skip';
  };
}
interface Vector {
  id: string;
  about: string;
  nodes: Record<string, VectorNode>;
  edges: [string, string][];
  outcomes: Record<string, string[] | string>;
  expect: {
    status: Record<string, string>;
    run: string;
    killedBy?: Record<string, string[]>;
    degraded?: string[];
    attemptsOf?: Record<string, number>;
    outputOf?: Record<string, Json>;
  };
}

const { vectors } = JSON.parse(readFileSync(new URL('./advance-vectors.json', import.meta.url), 'utf8')) as {
  vectors: Vector[];
};

function graphOf(nodes: Record<string, VectorNode>, edges: [string, string][], extra: string[] = []) {
  const drawn = edges.map(([source, to]) => {
    const [from, port] = source.split(':') as [string, string | undefined];
    return { from, ...(port ? { port } : {}), to };
  });
  const ids = new Set([...Object.keys(nodes), ...extra, ...drawn.flatMap((edge) => [edge.from, edge.to])]);
  return { nodes: [...ids].map((id) => nodeOf(id, nodes[id] ?? {})), edges: drawn };
}

function nodeOf(id: string, { join, onError, map }: VectorNode): NodeConfig {
  const base = {
    id,
    ...(join && { join }),
    ...(onError && {
      onError:
        typeof onError === 'string' ? { do: onError } : { do: 'fallback' as const, value: onError.fallback },
    }),
  } as const;
  if (!map) return { ...base, kind: 'transform', value: null };
  const { over, body, concurrency, onItemError } = map;
  const inner = graphOf({}, body.edges ?? [], body.nodes ?? []);
  return {
    ...base,
    kind: 'map',
    over,
    body: inner,
    ...(concurrency && { concurrency }),
    ...(onItemError && { onItemError }),
  };
}

function run(vector: Vector, pick: (open: readonly string[]) => string): Played {
  const document: FlowDocument = {
    format: 'pawl/1',
    name: vector.id.toLowerCase(),
    ...graphOf(vector.nodes, vector.edges),
  };
  const endOrder = (vector.outcomes.endOrder as string[] | undefined) ?? [];
  const lastRunning = Object.entries(vector.outcomes)
    .filter(([, what]) => typeof what === 'string' && what.startsWith('running'))
    .map(([path]) => path);
  return play(document, {
    outcome: (path): Outcome => {
      const what = vector.outcomes[path];
      return what === 'fail' ? 'fail' : Array.isArray(what) ? { ports: what } : {};
    },
    items: (path) => vector.nodes[path]?.map?.over ?? [],
    calls: () => undefined,
    pick: (open) => {
      const ordered = endOrder.filter((path) => open.includes(path));
      if (ordered[0]) return ordered[0];
      const free = open.filter((path) => !lastRunning.includes(path));
      return free.length > 0 ? pick(free) : pick(open);
    },
  });
}

function check(vector: Vector, { view, rows, journal, starts }: Played): void {
  const { expect: wanted } = vector;
  for (const [path, status] of Object.entries(wanted.status)) {
    const row = rows.get(path);
    if (status === 'not_reached') {
      expect(row?.status ?? 'cancelled', `${path}`).toBe('cancelled');
      expect(starts.get(path) ?? 0).toBe(0);
    } else expect(row?.status, path).toBe(status);
  }
  expect(view.run.status).toBe(wanted.run);
  for (const [path, names] of Object.entries(wanted.killedBy ?? {})) {
    const skipped = journal.find((event) => event.type === 'nodeRun.skipped' && event.path === path);
    expect(skipped?.data, `what killed ${path}`).toEqual({ v: 1, killedBy: names });
  }
  if (wanted.degraded) {
    const degraded = view.run.degraded.filter(({ hasFailed }) => !hasFailed);
    expect(degraded.map(({ path }) => path)).toEqual(wanted.degraded);
  }
  for (const [path, attempts] of Object.entries(wanted.attemptsOf ?? {}))
    expect(starts.get(path)).toBe(attempts);
  for (const [path, output] of Object.entries(wanted.outputOf ?? {})) {
    const outcome = journal.find((event) => event.type === 'outcome.succeeded' && event.path === path);
    expect(outcome?.type === 'outcome.succeeded' && outcome.data.output).toEqual(output);
  }
}

describe('E: the shared vectors', () => {
  for (const vector of vectors) {
    it(`${vector.id}: ${vector.about}`, () => {
      check(
        vector,
        run(vector, (open) => open[0]!),
      );
      fc.assert(
        fc.property(fc.infiniteStream(fc.nat()), (choices) => {
          check(
            vector,
            run(vector, (open) => open[choices.next().value! % open.length]!),
          );
        }),
        { numRuns: 30 },
      );
    });
  }
});
