import type { IncomingHttpHeaders } from 'node:http';
import { strictSchemaProblem } from './validate-schema.ts';
import { problemOfChatTools, problemOfResponsesTools } from './validate-tools.ts';

/** An error answer. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly type?: string;
  readonly param?: string;
  readonly code?: string;
  readonly headers?: Record<string, string>;
}

interface Arrived {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  readonly apiKey: string | null;
}

const CHAT_FIELDS = [
  'model',
  'messages',
  'temperature',
  'top_p',
  'max_tokens',
  'max_completion_tokens',
  'seed',
  'stop',
  'stream',
  'stream_options',
  'response_format',
  'store',
  'user',
  'reasoning_effort',
  'service_tier',
  'n',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
];
const RESPONSES_FIELDS = [
  'model',
  'input',
  'temperature',
  'top_p',
  'max_output_tokens',
  'text',
  'store',
  'include',
  'stream',
  'reasoning',
  'user',
  'metadata',
  'instructions',
  'service_tier',
  'truncation',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
];

/** Why the server does not take a request; undefined when it does. */
export function validateRequest({ method, url, headers, body, apiKey }: Arrived): Refusal | undefined {
  const isChat = url === '/v1/chat/completions';
  if (method !== 'POST' || !(isChat || url === '/v1/responses')) {
    return { status: 404, message: `Unknown request URL: ${method} ${url}.`, code: 'unknown_url' };
  }
  if (apiKey !== null && headers.authorization !== `Bearer ${apiKey}`) {
    return {
      status: 401,
      message: `Incorrect API key provided: ${headers.authorization?.slice(7)}.`,
      code: 'invalid_api_key',
    };
  }
  if (!headers['content-type']?.startsWith('application/json'))
    return bad('The content type must be application/json.');
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return bad('We could not parse the JSON body of your request.');
  const asked = body as Record<string, unknown>;
  const known = isChat ? CHAT_FIELDS : RESPONSES_FIELDS;
  const foreign = Object.keys(asked).find((name) => !known.includes(name));
  if (foreign !== undefined) return bad(`Unrecognized request argument supplied: ${foreign}`, foreign);
  if (typeof asked.model !== 'string' || asked.model === '')
    return bad('you must provide a model parameter', 'model');
  return problemOfNumbers(asked) ?? (isChat ? problemOfChat(asked) : problemOfResponses(asked));
}

function problemOfNumbers(asked: Record<string, unknown>): Refusal | undefined {
  const limits: Record<string, [number, number]> = {
    temperature: [0, 2],
    top_p: [0, 1],
    max_tokens: [1, 1e6],
    max_completion_tokens: [1, 1e6],
    max_output_tokens: [16, 1e6],
  };
  for (const [name, [low, high]] of Object.entries(limits)) {
    const value = asked[name];
    if (value === undefined) continue;
    if (typeof value !== 'number' || value < low || value > high) {
      return bad(
        `Invalid '${name}': expected a value from ${low} to ${high}, got ${JSON.stringify(value)}.`,
        name,
      );
    }
  }
  return undefined;
}

function problemOfChat(asked: Record<string, unknown>): Refusal | undefined {
  const { messages, response_format: format, stream, stream_options: options } = asked;
  if (!Array.isArray(messages) || messages.length === 0)
    return bad("Invalid 'messages': empty array.", 'messages');
  for (const [index, message] of (messages as Record<string, unknown>[]).entries()) {
    if (!['system', 'developer', 'user', 'assistant', 'tool'].includes(String(message.role))) {
      return bad(`Invalid value: '${String(message.role)}'.`, `messages[${index}].role`);
    }
    const isEmpty = message.tool_calls !== undefined && (message.content ?? '') === '';
    if (!isEmpty && !isContent(message.content, 'text'))
      return bad('Invalid content.', `messages[${index}].content`);
  }
  if (options !== undefined && stream !== true)
    return bad("The 'stream_options' parameter is only allowed when 'stream' is enabled.");
  const ofTools = problemOfChatTools(asked);
  if (ofTools !== undefined) return bad(ofTools);
  return format === undefined ? undefined : problemOfFormat(format as Record<string, unknown>, 'json_schema');
}

function problemOfResponses(asked: Record<string, unknown>): Refusal | undefined {
  const { input, text } = asked;
  if (!Array.isArray(input) || input.length === 0) return bad("Invalid 'input': empty array.", 'input');
  for (const [index, item] of (input as Record<string, unknown>[]).entries()) {
    if (item.type === 'function_call' || item.type === 'function_call_output') continue;
    const kind = item.role === 'assistant' ? 'output_text' : 'input_text';
    if (
      !['system', 'developer', 'user', 'assistant'].includes(String(item.role)) ||
      !isContent(item.content, kind)
    ) {
      return bad('Invalid input item.', `input[${index}]`);
    }
  }
  const ofTools = problemOfResponsesTools(asked);
  if (ofTools !== undefined) return bad(ofTools);
  const format = (text as { format?: Record<string, unknown> } | undefined)?.format;
  return format === undefined ? undefined : problemOfFormat(format, undefined);
}

function problemOfFormat(
  format: Record<string, unknown>,
  nested: 'json_schema' | undefined,
): Refusal | undefined {
  if (format.type === 'text' || format.type === 'json_object') return undefined;
  if (format.type !== 'json_schema')
    return bad(`Invalid value: '${String(format.type)}'.`, 'response_format.type');
  const { name, strict, schema } = (nested === undefined ? format : (format[nested] ?? {})) as Record<
    string,
    unknown
  >;
  if (typeof name !== 'string' || !/^[\w-]{1,64}$/.test(name))
    return bad('Missing or invalid response_format name.', 'response_format');
  if (typeof schema !== 'object' || schema === null)
    return bad('Missing response_format schema.', 'response_format');
  if (strict !== true) {
    const { type } = schema as { type?: unknown };
    return type === 'object'
      ? undefined
      : bad(`Invalid schema for response_format '${name}': schema must be of type object.`);
  }
  const problem = strictSchemaProblem(name, schema);
  return problem === undefined ? undefined : bad(problem, 'response_format');
}

function isContent(content: unknown, kind: string): boolean {
  if (typeof content === 'string') return true;
  return (
    Array.isArray(content) &&
    content.length > 0 &&
    (content as Record<string, unknown>[]).every(
      (part) => part.type === kind && typeof part.text === 'string',
    )
  );
}

function bad(message: string, param?: string): Refusal {
  return { status: 400, message, ...(param === undefined ? {} : { param }) };
}
