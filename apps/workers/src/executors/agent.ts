import {
  type AgentNode,
  childPath,
  DEFAULT_AGENT_TURNS,
  itemPath,
  type Json,
  type RecordedTurn,
  turnValue,
} from '@pawl/dag-core';
import type { Done, PureExecutor, Step } from '../runtime/step.ts';
import { modelPathOf, recordedTurn } from './agent-turns.ts';
import { evaluated, failed } from './evaluated.ts';
import { isTrue } from './truth.ts';

/** K: begins its first turn; after each turn ends, or begins the next one (K18). */
export const agent: PureExecutor = (step) => {
  const turns = step.handle.itemCount ?? 0;
  return turns === 0 ? { type: 'continued', turn: 0 } : afterTurn(step, turns).catch(failed);
};

async function afterTurn(step: Step, turns: number): Promise<Done> {
  const { config } = step.node as { config: AgentNode };
  const { context, handle } = step;
  const last = await recordedTurn(context, step.node, handle.path, turns - 1);
  if (last.fates.length === 0) return finished(step, turns, last);
  const stop = await stops(step, turns, last);
  if (stop.type === 'failed') return stop;
  if (stop.type === 'succeeded') return { ...(await finished(step, turns, last)), ...clockOf(stop) };
  if (turns < (config.maxTurns ?? DEFAULT_AGENT_TURNS)) return stop;
  const message = `Agent ${handle.path} did not finish in ${turns} turns. Raise maxTurns, make the task smaller, or say with onError what follows.`;
  return { type: 'failed', failure: { code: 'agent_max_turns', message, class: 'permanent' } };
}

/** Succeeds when the stop expression is true; else it is to go on. */
async function stops(step: Step, turns: number, last: RecordedTurn): Promise<Done> {
  const goOn: Done = { type: 'continued', turn: turns };
  const { until } = step.compiled;
  if (!until) return goOn;
  return evaluated(named(step, turns, 'stop'), until, rootsOf(step, turns, last), (value) =>
    isTrue(value) ? { type: 'succeeded', output: null } : goOn,
  );
}

/** The agent's output: what its template gives, else what its last answer said. */
async function finished(step: Step, turns: number, last: RecordedTurn): Promise<Done> {
  const { value } = step.compiled;
  if (value)
    return evaluated(named(step, turns, 'value'), value, rootsOf(step, turns, last), (output) => ({
      type: 'succeeded',
      output,
    }));
  const { output } = await step.context.view(modelPathOf(step.node, step.handle.path, turns - 1));
  return { type: 'succeeded', output: output ?? null };
}

const rootsOf = ({ context }: Step, turns: number, last: RecordedTurn): { roots: { turn: Json } } => ({
  roots: { turn: turnValue(last, turns - 1, context.graph.document.bigIntegers) },
});

/** Named after the turn, so that what is drawn at random differs from turn to turn. */
const named = (step: Step, turns: number, what: string): Step => ({
  ...step,
  handle: { ...step.handle, path: `${itemPath(step.node, step.handle.path, turns - 1)}#${what}` },
});

const clockOf = (done: Done): { clock?: number } =>
  'clock' in done && done.clock !== undefined ? { clock: done.clock } : {};

/** The end of a turn: its output names where the answer and the results are; they are nowhere twice (J3). */
export const turn: PureExecutor = (step) => {
  const { context, handle, node } = step;
  const model = childPath(handle.path, node.body!.roots[0]!.id);
  const view = context.view(model);
  const shape = ({ asked }: Awaited<typeof view>): Done => {
    const runs =
      asked?.calls.flatMap((fate) => ('run' in fate ? [childPath(handle.path, fate.run)] : [])) ?? [];
    return { type: 'succeeded', output: { model, calls: runs } };
  };
  return view instanceof Promise ? view.then(shape) : shape(view);
};
