import { childPath, type NodeView } from '@pawl/dag-core';
import type { Done, PureExecutor } from '../runtime/step.ts';

/** K: the outputs of the arms that were taken, by node id, and the ids of those that were not. */
export const join: PureExecutor = (step) => {
  const sources = [...new Set(step.node.inbound.map((edge) => edge.from))];
  const views = sources.map((source) => step.context.view(childPath(step.scopePath, source.id)));
  const shape = (known: NodeView[]): Done => {
    const ran = sources.filter((_, i) => known[i]!.status === 'succeeded');
    const outputs = Object.fromEntries(
      ran.map((source) => [source.id, known[sources.indexOf(source)]!.output ?? null]),
    );
    const skipped = sources.filter((source) => !ran.includes(source)).map((source) => source.id);
    return { type: 'succeeded', output: { outputs, skipped } };
  };
  return views.some((view) => view instanceof Promise)
    ? Promise.all(views).then(shape)
    : shape(views as NodeView[]);
};
