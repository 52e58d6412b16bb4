import type { ToolNode } from '../graph/document.ts';
import { DEFAULT_RETRY } from '../state/retry.ts';
import { type Kind, NORMAL_PORT } from './kind.ts';

/** One registered tool with arguments (K6); what repeating it does is declared by the tool. */
export const tool: Kind<ToolNode> = {
  name: 'tool',
  dispatches: true,
  defaultRetry: DEFAULT_RETRY,
  fields: {
    required: ['tool'],
    properties: {
      tool: {
        type: 'string',
        pattern: '^[A-Za-z][A-Za-z0-9_.-]*@[0-9A-Za-z][0-9A-Za-z.+-]*$',
        maxLength: 200,
        description: 'a tool as <name>@<version>, for instance files.read@1',
      },
      args: { description: 'a template of the arguments' },
    },
  },
  effect: () => 'tool',
  ports: () => [NORMAL_PORT],
  templates: ({ args }) =>
    args === undefined ? [] : [{ pointer: '/args', template: args, as: 'value', allow: 'secrets' }],
};
