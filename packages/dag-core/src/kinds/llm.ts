import { pointerTo } from '../canonical/json-pointer.ts';
import type { LlmNode } from '../graph/document.ts';
import { DEFAULT_RETRY } from '../state/retry.ts';
import { type Kind, NORMAL_PORT, type TemplateField } from './kind.ts';

const text = { type: 'string', description: 'text that may hold {{ expressions }}' };

/** One model call (K5): repeatable, costs money, the sampled output is the checkpoint. */
export const llm: Kind<LlmNode> = {
  name: 'llm',
  dispatches: true,
  defaultRetry: DEFAULT_RETRY,
  fields: {
    required: ['model', 'prompt'],
    properties: {
      model: {
        type: 'string',
        pattern: '^[a-z][a-z0-9_-]*:\\S+$',
        maxLength: 200,
        description: 'a model as <provider>:<model>, for instance sim:writer',
      },
      prompt: {
        type: ['string', 'array'],
        minItems: 1,
        items: {
          type: 'object',
          required: ['role', 'content'],
          additionalProperties: false,
          properties: { role: { enum: ['system', 'user', 'assistant'] }, content: text },
        },
        description: 'the text of one user message, or a list of messages',
      },
      parameters: {
        type: 'object',
        additionalProperties: false,
        properties: {
          temperature: { type: 'number', minimum: 0, maximum: 2 },
          topP: { type: 'number', minimum: 0, maximum: 1 },
          maxOutputTokens: { type: 'integer', minimum: 1 },
          seed: { type: 'integer' },
          stop: { type: 'array', items: { type: 'string' }, maxItems: 16 },
        },
      },
      output: {
        type: 'object',
        additionalProperties: false,
        properties: {
          schema: { type: ['object', 'boolean'], description: 'a JSON Schema (2020-12)' },
          repairs: { type: 'integer', minimum: 0, maximum: 5 },
        },
      },
    },
  },
  effect: () => 'model',
  ports: () => [NORMAL_PORT],
  templates({ prompt }): TemplateField[] {
    if (typeof prompt === 'string') return [{ pointer: '/prompt', template: prompt, as: 'text' }];
    return prompt.map((message, at) => ({
      pointer: `${pointerTo('/prompt', at)}/content`,
      template: message.content,
      as: 'text',
    }));
  },
};
