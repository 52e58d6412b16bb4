import { type FlowNode, type Issue, type Json, parseFlowRef, validateInput } from '@pawl/dag-core';
import { mergeBudget, newRunId } from '@pawl/run-store/work';
import type { EffectHost } from '../runtime/effect-host.ts';
import type { Done, PureExecutor, Step } from '../runtime/step.ts';
import { failed } from './evaluated.ts';

/** K12: finds the version and computes the input of the run of a sub-flow. The run itself is admitted with what this answers. */
export function flowExecutor(host: EffectHost): PureExecutor {
  return (step) => prepare(host, step).catch(failed);
}

async function prepare(host: EffectHost, step: Step): Promise<Done> {
  const { context, handle, scopePath, compiled } = step;
  const config = step.node.config as FlowNode;
  let clock: number | undefined;
  const onClock = (nowMs: number) => {
    clock ??= nowMs;
  };
  const { name, versionId } = versionOf(config, handle.path, context.versionId);
  const graph = await host.graph(context.workspaceId, versionId);
  const given = compiled.value
    ? await context.evaluate(handle.path, scopePath, compiled.value, { onClock })
    : {};
  const { value: input, issues } = validateInput(graph.document.input, given);
  if (issues[0]) throw new InputInvalidError(handle.path, config.flow, issues);
  const runId = newRunId();
  const inputRef = await host.putInputAside(runId, input);
  return {
    type: 'startsFlow',
    runId,
    flow: name,
    versionId,
    graph,
    input: inputRef ? null : input,
    ...(inputRef && { inputRef }),
    budget: mergeBudget(graph.document.budget, config.budget),
    ...(config.timeoutMs !== undefined && { timeoutMs: config.timeoutMs }),
    ...(context.trace && { trace: context.trace }),
    ...(clock !== undefined && { clock }),
  };
}

/** Publish pins what a node names, so that a run never depends on what is published later. */
function versionOf({ flow }: FlowNode, path: string, own: string): { name: string; versionId: string } {
  const ref = parseFlowRef(flow);
  if (ref?.version === 'self') return { name: ref.name, versionId: own };
  if (ref && typeof ref.version === 'object' && 'id' in ref.version)
    return { name: ref.name, versionId: ref.version.id };
  throw new FlowNotPinnedError(path, flow);
}

/** Thrown when the version of a flow was never found; publish does that. */
class FlowNotPinnedError extends Error {
  readonly code = 'flow_not_pinned';
  constructor(path: string, flow: string) {
    super(`Node run ${path} runs ${flow}, which names no version. Publish its flow again.`);
  }
}

/** Thrown when what a node gives a flow does not fit the flow's input. */
class InputInvalidError extends Error {
  readonly code = 'input_invalid';
  readonly detail: Json;
  constructor(path: string, flow: string, issues: readonly Issue[]) {
    const { pointer, message } = issues[0]!;
    super(`What ${path} gives ${flow} does not fit its input: ${pointer || 'the whole'}: ${message}`);
    this.detail = issues.slice(0, 20).map((issue) => ({ pointer: issue.pointer, message: issue.message }));
  }
}
