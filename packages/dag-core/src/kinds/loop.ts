import type { LoopNode } from '../graph/document.ts';
import { DEFAULT_RETRY } from '../state/retry.ts';
import { type Kind, NORMAL_PORT, type TemplateField } from './kind.ts';

/** Turns of a loop when the flow does not say, and the most it may say. */
export const DEFAULT_LOOP_TURNS = 100;
export const MAX_LOOP_TURNS = 10_000;

/** Repeats an inner graph until an expression over its last turn is true (K15). */
export const loop: Kind<LoopNode> = {
  name: 'loop',
  dispatches: false,
  // Like a map: its turns' nodes have attempts of their own.
  defaultRetry: { ...DEFAULT_RETRY, maxAttempts: 1 },
  fields: {
    required: ['body', 'until'],
    properties: {
      body: { $ref: '#/$defs/graph' },
      until: { type: 'string', minLength: 1, description: 'an expression over the turn that has just ended' },
      output: { description: "a template of one turn's output" },
      maxIterations: { type: 'integer', minimum: 1, maximum: MAX_LOOP_TURNS },
      onMaxIterations: { enum: ['fail', 'continue'] },
    },
  },
  effect: () => 'container',
  ports: () => [NORMAL_PORT],
  templates({ until, output }): TemplateField[] {
    const end: TemplateField = { pointer: '/until', template: until, as: 'expression', scope: 'item' };
    return output === undefined
      ? [end]
      : [end, { pointer: '/output', template: output, as: 'value', scope: 'item' }];
  },
};
