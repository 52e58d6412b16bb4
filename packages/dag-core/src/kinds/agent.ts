import { approvalRuleOf } from '../graph/agent-graph.ts';
import type { AgentNode, AgentTool, Template } from '../graph/document.ts';
import type { JsonObject } from '../json.ts';
import { DEFAULT_RETRY } from '../state/retry.ts';
import { approval } from './approval.ts';
import { type Kind, NORMAL_PORT, type TemplateField } from './kind.ts';
import { llm } from './llm.ts';
import { tool } from './tool.ts';

/** Turns of an agent when the flow does not say, and the most it may say (semantics §8). */
export const DEFAULT_AGENT_TURNS = 20;
const MAX_AGENT_TURNS = 100;
/** Calls that a model may ask for in one turn; more are answered with an error. */
export const MAX_CALLS_PER_TURN = 32;

const name: JsonObject = {
  type: 'string',
  pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$',
  description: 'what the model calls it: a letter, then letters, digits, _ or -, at most 64',
};
const description: JsonObject = { type: 'string', maxLength: 10_000 };
const { who, deadline, onDeadline } = approval.fields.properties as Record<string, JsonObject>;

const expression: JsonObject = { type: 'string', minLength: 1, description: 'an expression over args' };
const callFields: JsonObject = {
  tool: tool.fields.properties.tool!,
  name,
  description,
  args: { type: 'object', description: 'a template of arguments that the model does not see' },
  approve: {
    type: ['string', 'object'],
    minLength: 1,
    required: ['when'],
    additionalProperties: false,
    properties: { when: expression, who: who!, deadline: deadline!, onDeadline: onDeadline! },
    description: 'an expression over args, or an object that holds it as "when"',
  },
  onError: { enum: ['tell', 'fail'] },
  retry: { $ref: '#/$defs/retry' },
  timeoutMs: { $ref: '#/$defs/timeoutMs' },
};
const questionFields: JsonObject = {
  ask: { const: 'person' },
  name,
  description,
  form: { type: ['object', 'boolean'], description: 'a JSON Schema (2020-12) of the answer' },
  who: who!,
  deadline: deadline!,
  onDeadline: onDeadline!,
};

const agentTool: JsonObject = {
  type: 'object',
  if: { required: ['ask'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { additionalProperties: false, properties: questionFields },
  else: { required: ['tool'], additionalProperties: false, properties: callFields },
};

/** A bounded loop of model turns and tool calls (K18). */
export const agent: Kind<AgentNode> = {
  name: 'agent',
  dispatches: false,
  // Its model calls and tool calls have attempts of their own.
  defaultRetry: { ...DEFAULT_RETRY, maxAttempts: 1 },
  fields: {
    required: ['model', 'prompt', 'tools'],
    properties: {
      model: llm.fields.properties.model!,
      system: { type: 'string', description: 'text that may hold {{ expressions }}' },
      prompt: llm.fields.properties.prompt!,
      tools: { type: 'array', minItems: 1, maxItems: 100, items: agentTool },
      maxTurns: { type: 'integer', minimum: 1, maximum: MAX_AGENT_TURNS },
      stop: { type: 'string', minLength: 1, description: 'an expression over the turn that has just ended' },
      parameters: llm.fields.properties.parameters!,
      output: {
        type: 'object',
        additionalProperties: false,
        properties: {
          schema: { type: ['object', 'boolean'], description: 'a JSON Schema (2020-12)' },
          repairs: { type: 'integer', minimum: 0, maximum: 5 },
          value: { description: "a template of the agent's output over its last turn" },
        },
      },
    },
  },
  effect: () => 'container',
  ports: () => [NORMAL_PORT],
  templates({ system, prompt, tools, stop, output }): TemplateField[] {
    const value = output?.value;
    return [
      ...(system === undefined ? [] : [{ pointer: '/system', template: system, as: 'text' as const }]),
      ...llm.templates({ id: 'model', kind: 'llm', model: '', prompt }),
      ...tools.flatMap((each, at) => toolTemplates(each, `/tools/${at}`)),
      ...(stop === undefined
        ? []
        : [{ pointer: '/stop', template: stop, as: 'expression' as const, reads: ['turn' as const] }]),
      ...(value === undefined
        ? []
        : [{ pointer: '/output/value', template: value, as: 'value' as const, reads: ['turn' as const] }]),
    ];
  },
};

function toolTemplates(each: AgentTool, place: string): TemplateField[] {
  const fields: TemplateField[] = [];
  const add = (
    at: string,
    template: Template | undefined,
    more: Omit<TemplateField, 'pointer' | 'template'>,
  ) => {
    if (template !== undefined) fields.push({ pointer: `${place}${at}`, template, ...more });
  };
  if ('ask' in each) {
    add('/deadline', each.deadline, { as: 'value' });
    return fields;
  }
  const { args, approve } = each;
  add('/args', args, { as: 'value', allow: 'secrets' });
  const isShort = typeof approve === 'string';
  add(isShort ? '/approve' : '/approve/when', approvalRuleOf(each)?.when, {
    as: 'expression',
    reads: ['args'],
  });
  if (!isShort) add('/approve/deadline', approve?.deadline, { as: 'value' });
  return fields;
}
