import { newRunId } from '@pawl/run-store/work';
import type { EffectHost } from '../runtime/effect-host.ts';
import type { PureExecutor } from '../runtime/step.ts';
import { failed } from './evaluated.ts';
import { undonePath } from './undo.ts';

/**
 * F9: plans the undoing of the run of a sub-flow that has ended, which is a run of its own and admitted with what this answers. The
 * ended run never changes again, so that it can be read here.
 */
export function undoFlowExecutor(host: EffectHost): PureExecutor {
  return async (step) => {
    try {
      const { ended, plan } = await host.undoOfSubFlow(step, undonePath(step));
      const { runId, flow, versionId } = ended;
      const graph = await host.graph(step.context.workspaceId, versionId);
      return {
        type: 'startsFlow',
        runId: newRunId(),
        flow,
        versionId,
        graph,
        input: null,
        budget: {},
        undoing: { runId, plan },
        ...(step.context.trace && { trace: step.context.trace }),
      };
    } catch (error) {
      return failed(error);
    }
  };
}
