import {
  compileGraph,
  type EffectClass,
  type Failure,
  type FlowGraph,
  type Intent,
  type ModelAnswer,
  type NodeRunState,
  parsePath,
} from '@pawl/dag-core';
import { effectKey } from '../../../apps/workers/src/runtime/effect-key.ts';
import { pickOf, randomFlow, randomOf } from '../../../packages/dag-core/test/advance/random-flows.ts';
import type { StoredRun } from './database.ts';

// What the node runs of a random flow do, and whom they ask: the same whenever it is asked.

type Place = Pick<NodeRunState, 'path' | 'kind' | 'more'>;

/** V4: from run, path and call; never from the attempt. T19: and from the answer that gave it other arguments. */
export const keyOf = ({ id }: Pick<StoredRun, 'id'>, { path, more }: Pick<Place, 'path' | 'more'>): string =>
  effectKey(id, path, 0, more?.edited);

/** The path of the effect that is asked about at the path of a probe. */
export const effectPathOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

export function effectOf(
  run: StoredRun,
  { path, kind }: Pick<Place, 'path' | 'kind'>,
): EffectClass | 'model' {
  if (kind === 'undo') return parsePath(run.graph, path)!.node.config.kind === 'flow' ? 'pure' : 'idempotent';
  if (kind === 'llm') return 'model';
  if (kind !== 'tool') return 'pure';
  return pickOf(randomOf(run.seed ^ 0xeffec7, path), [
    'pure',
    'idempotent',
    'non_repeatable',
    'model',
  ] as const);
}

/** The service takes the call and tells later how it ended (T22). */
export function isTakenLater(run: StoredRun, { path, kind }: Pick<Place, 'path' | 'kind'>): boolean {
  const effect = effectOf(run, { path, kind });
  const changesSomething = effect === 'idempotent' || effect === 'non_repeatable';
  return kind === 'tool' && changesSomething && randomOf(run.seed ^ 0xca11, path)() < 0.4;
}

export function intentOf(run: StoredRun, place: Place): Intent {
  const { path, kind } = place;
  const effect = effectOf(run, place);
  return {
    call: 0,
    effect,
    target: 't@1',
    key: keyOf(run, place),
    request: null,
    requestHash: 'h',
    ...(effect === 'model' && { reserved: { costNanoUsd: 100, tokens: 10, modelCalls: 1 } }),
    ...(effect !== 'model' && kind === 'tool' && { compensates: true as const }),
    ...(kind === 'tool' && randomOf(run.seed, path)() < 0.7 && { probes: true as const }),
  };
}

/** The flow that a node runs: smaller than its own, and after two levels one that runs no other. */
export function innerFlowOf(run: StoredRun, path: string): FlowGraph {
  const random = randomOf(run.seed ^ 0xf10, path);
  const depth = run.state.more?.parent?.depth ?? 0;
  const size = 1 + Math.floor(random() * 3);
  const shape = { size, withPause: 'often' as const, withRetry: true, withTools: true, withFlows: depth < 1 };
  return compileGraph(randomFlow(Math.floor(random() * 1e9), shape));
}

export const ANSWER: ModelAnswer = {
  provider: 'sim',
  model: 'm',
  finishReason: 'stop',
  text: 'x',
  usage: { input: 4, output: 3 },
  costNanoUsd: 70,
  prices: 'p',
  totalMs: 1,
};

export const refusal: Failure = { code: 'refused', message: 'No.', class: 'permanent' };
export const unavailable = (kind: 'lost' | 'transient'): Failure => ({
  code: 'unavailable',
  message: 'Later.',
  class: kind,
});
