import type { TransformNode } from '../graph/document.ts';
import { DEFAULT_RETRY } from '../state/retry.ts';
import { type Kind, NORMAL_PORT } from './kind.ts';

/** Builds a JSON value from expressions (K8). */
export const transform: Kind<TransformNode> = {
  name: 'transform',
  dispatches: false,
  defaultRetry: DEFAULT_RETRY,
  fields: { required: ['value'], properties: { value: { description: 'a template' } } },
  effect: () => 'pure',
  ports: () => [NORMAL_PORT],
  templates: ({ value }) => [{ pointer: '/value', template: value, as: 'value' }],
};
