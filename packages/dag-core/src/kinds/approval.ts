import type { ApprovalNode } from '../graph/document.ts';
import type { JsonObject } from '../json.ts';
import { DEFAULT_RETRY } from '../state/retry.ts';
import { type Kind, NORMAL_PORT, REJECTED_PORT, type TemplateField } from './kind.ts';

const text: JsonObject = {
  type: 'string',
  minLength: 1,
  description: 'text that may hold {{ expressions }}',
};

/** Asks a person (K17). Waiting for the answer holds no worker. */
export const approval: Kind<ApprovalNode> = {
  name: 'approval',
  dispatches: false,
  defaultRetry: DEFAULT_RETRY,
  fields: {
    required: ['subject'],
    properties: {
      subject: { ...text, maxLength: 1_000 },
      details: text,
      form: { type: ['object', 'boolean'], description: 'a JSON Schema (2020-12) of what is filled in' },
      values: { description: 'a template of what is filled in already' },
      who: {
        type: 'array',
        minItems: 1,
        maxItems: 100,
        items: { type: 'string', minLength: 1, maxLength: 200 },
        description: 'names of the keys that may answer',
      },
      deadline: {
        type: ['string', 'number'],
        description: 'a duration, an instant, or an expression that gives one',
      },
      onDeadline: { enum: ['fail', 'reject', 'approve'] },
      deadlineValues: { description: 'a template of the values that count when the deadline approves' },
    },
  },
  effect: () => 'pure',
  ports: () => [NORMAL_PORT, REJECTED_PORT],
  templates({ subject, details, values, deadline, deadlineValues }): TemplateField[] {
    const fields: TemplateField[] = [{ pointer: '/subject', template: subject, as: 'text' }];
    if (details !== undefined) fields.push({ pointer: '/details', template: details, as: 'text' });
    for (const [name, template] of Object.entries({ values, deadline, deadlineValues }))
      if (template !== undefined) fields.push({ pointer: `/${name}`, template, as: 'value' });
    return fields;
  },
};
