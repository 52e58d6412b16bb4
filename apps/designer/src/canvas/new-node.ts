import type { FlowDocument, KindName, NodeConfig } from '@pawl/dag-core';
import { type Drawing, freeId, idsOf } from '../editor/index.ts';

/** Something of the palette: a kind, or a tool by its name and version. */
export interface Choice {
  readonly kind: KindName;
  readonly tool?: string;
}

/** Whatever the palette has: what becomes a node, or a note or frame. */
export type Chosen = Choice | { readonly drawing: Drawing };

/** A node as it comes from the palette: complete where a sensible beginning is known, and with an id that is free. */
export function newNode({ kind, tool }: Choice, document: FlowDocument, model: string): NodeConfig {
  const wish = tool?.match(/([A-Za-z][A-Za-z0-9_-]*)@/)?.[1] ?? kind;
  return { id: freeId(wish, idsOf(document)), kind, ...beginningOf(kind, tool, model) } as NodeConfig;
}

function beginningOf(kind: KindName, tool: string | undefined, model: string): object {
  const body = { nodes: [], edges: [] };
  switch (kind) {
    case 'llm':
      return { model, prompt: '' };
    case 'agent':
      return { model, prompt: '', tools: [] };
    case 'tool':
      return { tool: tool ?? '', args: {} };
    case 'switch':
      return { cases: [{ port: 'yes', when: 'true' }] };
    case 'transform':
      return { value: '{{ input }}' };
    case 'code':
      return { source: 'export default ({ input }) => input;\n' };
    case 'map':
      return { over: '{{ input.items }}', body };
    case 'loop':
      return { until: 'index >= 2', body };
    case 'flow':
      return { flow: '' };
    case 'approval':
      return { subject: '' };
    case 'wait':
      return { for: 'PT1M' };
    case 'emit':
      return { signal: { name: '' } };
    case 'join':
      return {};
  }
}
