import type { KindName } from '@pawl/dag-core';
import type { EffectHost } from '../runtime/effect-host.ts';
import type { EffectExecutor, PureExecutor, Step } from '../runtime/step.ts';
import { agent, turn } from './agent.ts';
import { agentModelExecutor } from './agent-model.ts';
import { agentQuestionExecutor } from './agent-question.ts';
import { approvalExecutor } from './approval.ts';
import { code } from './code.ts';
import { emitExecutor } from './emit.ts';
import { flowExecutor } from './flow.ts';
import { given, givenOutput } from './given.ts';
import { join } from './join.ts';
import { llmExecutor } from './llm.ts';
import { loop } from './loop.ts';
import { item, map } from './map.ts';
import { pollExecutor } from './poll.ts';
import { probeExecutor } from './probe.ts';
import { switchNode } from './switch.ts';
import { toolExecutors, toolOf } from './tool.ts';
import { transform } from './transform.ts';
import { undoExecutor } from './undo.ts';
import { undoFlowExecutor } from './undo-flow.ts';
import { wait } from './wait.ts';

/** All kinds, the items of maps, the turns of loops and agents, the undoing of an effect, the asking about a doubt, and about a call. */
type ExecutedKind = KindName | 'item' | 'turn' | 'undo' | 'probe' | 'poll';

/** Which executor a node run goes to. */
export interface Executors {
  /** undefined when it touches the world and needs an intent. */
  pure(step: Step): PureExecutor | undefined;
  effect(step: Step): EffectExecutor;
}

/** The table of executors, one per kind; a tool goes where its declared class says. */
export function executors(host: EffectHost): Executors {
  const tool = toolExecutors(host);
  const llm = llmExecutor(host);
  const agentModel = agentModelExecutor(host);
  const undo = undoExecutor(host);
  const undoFlow = undoFlowExecutor(host);
  const probe = probeExecutor(host);
  const poll = pollExecutor(host);
  const approval = approvalExecutor(host);
  const agentQuestion = agentQuestionExecutor(host);
  const emit = emitExecutor(host);
  const flow = flowExecutor(host);
  const isEffect = (step: Step) => {
    const found = toolOf(host, step);
    return 'ref' in found && found.effect !== 'pure';
  };
  const table = {
    transform: () => ({ pure: transform }),
    switch: () => ({ pure: switchNode }),
    code: () => ({ pure: code }),
    join: () => ({ pure: join }),
    wait: () => ({ pure: wait }),
    approval: (step) => ({ pure: step.agent ? agentQuestion : approval }),
    map: () => ({ pure: map }),
    loop: () => ({ pure: loop }),
    agent: () => ({ pure: agent }),
    flow: () => ({ pure: flow }),
    item: () => ({ pure: item }),
    turn: () => ({ pure: turn }),
    llm: (step) => ({ effect: step.agent ? agentModel : llm }),
    emit: () => ({ effect: emit }),
    undo: (step) => (step.node.config.kind === 'flow' ? { pure: undoFlow } : { effect: undo }),
    probe: () => ({ pure: probe }),
    poll: () => ({ pure: poll }),
    tool: (step) => (isEffect(step) ? { effect: tool.effect } : { pure: tool.pure }),
  } satisfies Record<ExecutedKind, (step: Step) => { pure: PureExecutor } | { effect: EffectExecutor }>;
  const find = (step: Step): { pure?: PureExecutor; effect?: EffectExecutor } =>
    givenOutput(step) ? { pure: given } : table[step.handle.kind as ExecutedKind](step);
  return { pure: (step) => find(step).pure, effect: (step) => find(step).effect! };
}
