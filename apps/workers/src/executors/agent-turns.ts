import {
  childPath,
  type Failure,
  type GraphNode,
  itemPath,
  type NodeView,
  type RecordedTurn,
} from '@pawl/dag-core';
import type { RunContext } from '../runtime/run-context.ts';

/** Path of the model call of a turn. */
export const modelPathOf = (agent: GraphNode, path: string, turn: number): string =>
  childPath(itemPath(agent, path, turn), agent.body!.roots[0]!.id);

/** A turn of an agent that has ended, as it was recorded (K19). */
export async function recordedTurn(
  context: RunContext,
  agent: GraphNode,
  path: string,
  turn: number,
): Promise<RecordedTurn> {
  const turnPath = itemPath(agent, path, turn);
  const { asked, output, status } = await context.view(modelPathOf(agent, path, turn));
  if (!asked) {
    // A person settled the call: what they said stands for the answer, and asks for nothing.
    if (status !== 'succeeded') throw new NoAnswerError(turnPath, status);
    const text = typeof output === 'string' ? output : JSON.stringify(output ?? null);
    return { answer: { text }, fates: [], results: new Map() };
  }
  const runs = asked.calls.flatMap((fate) => ('run' in fate ? [fate.run] : []));
  const views = await Promise.all(runs.map((run) => context.view(childPath(turnPath, run))));
  const results = new Map<string, NodeView>(runs.map((run, i) => [run, views[i]!]));
  const missing = runs.find((run) => results.get(run)!.status === undefined);
  if (missing !== undefined) throw new Error(`The journal holds no end of ${childPath(turnPath, missing)}`);
  return { answer: asked.answer, fates: asked.calls, results };
}

/** Thrown when an agent has nothing to go on with: the model call of its turn was skipped. */
class NoAnswerError extends Error {
  readonly failure: Failure;
  constructor(turnPath: string, status = 'missing') {
    const message = `The agent cannot go on: the model call of ${turnPath} is ${status}.`;
    super(message);
    this.failure = { code: 'agent_no_answer', message, class: 'permanent' };
  }
}

/** The turns before `count`, in order. */
export const recordedTurns = (
  context: RunContext,
  agent: GraphNode,
  path: string,
  count: number,
): Promise<RecordedTurn[]> =>
  Promise.all(Array.from({ length: count }, (_, turn) => recordedTurn(context, agent, path, turn)));
