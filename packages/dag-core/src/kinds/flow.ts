import { budgetSchema } from '../graph/budget-schema.ts';
import type { FlowNode } from '../graph/document.ts';
import { FLOW_REF_PATTERN } from '../graph/flow-ref.ts';
import { DEFAULT_RETRY } from '../state/retry.ts';
import { type Kind, NORMAL_PORT, type TemplateField } from './kind.ts';

/** Runs another flow as a run of its own (K12); its output is that of the run. */
export const flow: Kind<FlowNode> = {
  name: 'flow',
  dispatches: false,
  // A sub-flow is never tried again as a whole; its nodes have attempts of their own.
  defaultRetry: { ...DEFAULT_RETRY, maxAttempts: 1 },
  fields: {
    required: ['flow'],
    properties: {
      flow: {
        type: 'string',
        pattern: FLOW_REF_PATTERN,
        description:
          'the flow, `<name>@latest`, `<name>@<number>`, `<name>@<version id>` or `<name>@self`; `<name>` alone means latest',
      },
      input: { description: 'a template of the input of its run' },
      budget: budgetSchema,
    },
  },
  effect: () => 'container',
  ports: () => [NORMAL_PORT],
  templates: ({ input }): TemplateField[] =>
    input === undefined ? [] : [{ pointer: '/input', template: input, as: 'value' }],
};
