import type { JoinNode } from '../graph/document.ts';
import { DEFAULT_RETRY } from '../state/retry.ts';
import { type Kind, NORMAL_PORT } from './kind.ts';

/** A join that is drawn as a node of its own (K10); any node with several inbound edges joins too. */
export const join: Kind<JoinNode> = {
  name: 'join',
  dispatches: false,
  defaultRetry: DEFAULT_RETRY,
  fields: { required: [], properties: {} },
  effect: () => 'pure',
  ports: () => [NORMAL_PORT],
  templates: () => [],
};
