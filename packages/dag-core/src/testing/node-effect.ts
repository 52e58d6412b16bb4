import type { FlowDocument, NodeConfig } from '../graph/document.ts';
import { isOwnVersion, parseFlowRef } from '../graph/flow-ref.ts';
import type { Registered } from '../graph/tool-declaration.ts';
import type { EffectClass } from '../state/status.ts';
import { bodiesIn } from './graphs-in.ts';

// Rules kept here: Y4 what a node may call, and what repeating the worst of it does. What is not known counts as what must not be repeated.

/** What a node does to the world: the class of the worst that it may call, and what that is called. */
export interface NodeEffect {
  readonly effect: EffectClass | 'model';
  /** Tools, models, signals and flows. */
  readonly calls: readonly string[];
}

const WORSE = ['pure', 'model', 'idempotent', 'non_repeatable'] as const;

/**
 * What a node may call; of a map or loop itself nothing, its inner nodes speak for themselves.
 *
 * @param document the flow that the node stands in; may be unfinished
 */
export function nodeEffect(
  node: NodeConfig,
  document: FlowDocument,
  { tools, flows }: Registered,
): NodeEffect {
  const ofTool = (ref: string): NodeEffect['effect'] => tools?.get(ref)?.effect ?? 'non_repeatable';
  switch (node.kind) {
    case 'llm':
      return { effect: 'model', calls: [node.model] };
    case 'tool':
      return { effect: ofTool(node.tool), calls: [node.tool] };
    case 'emit':
      return { effect: 'idempotent', calls: [node.signal?.name ?? ''] };
    case 'agent': {
      const refs = (node.tools ?? []).flatMap((each) => ('tool' in each ? [each.tool] : []));
      return { effect: worst(['model', ...refs.map(ofTool)]), calls: [node.model, ...refs] };
    }
    case 'flow': {
      const calls = [node.flow];
      const ref = parseFlowRef(node.flow ?? '');
      if (ref && isOwnVersion(ref, document.name)) {
        const others = [...bodiesIn(document)]
          .flatMap(({ nodes }) => nodes)
          .filter(({ kind }) => kind !== 'flow');
        return { effect: worst(others.map((each) => nodeEffect(each, document, { tools }).effect)), calls };
      }
      const found = flows?.get(node.flow);
      const isKnown = found && 'tools' in found && !found.runsFlows;
      // It may call models, too: nobody has looked.
      return { effect: isKnown ? worst(['model', ...found.tools!.map(ofTool)]) : 'non_repeatable', calls };
    }
    default:
      return { effect: 'pure', calls: [] };
  }
}

const worst = (effects: readonly NodeEffect['effect'][]): NodeEffect['effect'] =>
  WORSE[Math.max(0, ...effects.map((effect) => WORSE.indexOf(effect)))]!;
