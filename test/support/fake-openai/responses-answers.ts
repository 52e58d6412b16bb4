import { DEFAULT_USAGE, type FakeToolCall, type FakeUsage, piecesOf, type TextAnswer } from './script.ts';

type Asked = Record<string, unknown>;
const ITEM = 'msg_fake';

/** The whole answer of the Responses API. */
export function responsesAnswer(answer: TextAnswer, asked: Asked) {
  const { usage = DEFAULT_USAGE, toolCalls = [] } = answer;
  const isWhole = isComplete(answer);
  const reason = answer.finish === 'length' ? 'max_output_tokens' : 'content_filter';
  return {
    ...frame(asked, isWhole ? 'completed' : 'incomplete'),
    incomplete_details: isWhole ? null : { reason },
    output: [message(answer), ...toolCalls.map(functionCall)],
    usage: responsesUsage(usage),
  };
}

/** The events of a streamed answer. */
export function responsesEvents(answer: TextAnswer, asked: Asked): string[] {
  const { refusal, toolCalls = [], firstUsage, breakWith } = answer;
  let sequence = 0;
  const event = (type: string, data: object) => {
    sequence += 1;
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence, ...data })}\n\n`;
  };
  const place = { item_id: ITEM, output_index: 0, content_index: 0 };
  const kind = refusal === undefined ? 'output_text' : 'refusal';
  const started = {
    ...frame(asked, 'in_progress'),
    output: [],
    usage: firstUsage === undefined ? null : responsesUsage(firstUsage),
  };
  const pieces = piecesOf(answer).map((delta) =>
    event(`response.${kind}.delta`, { ...place, delta, logprobs: [] }),
  );
  const opening = [
    event('response.created', { response: started }),
    event('response.in_progress', { response: started }),
    event('response.output_item.added', {
      output_index: 0,
      item: { ...message({ text: '' }), status: 'in_progress', content: [] },
    }),
    event('response.content_part.added', {
      ...place,
      part: part({ text: '', ...(refusal === undefined ? {} : { refusal: '' }) }),
    }),
  ];
  if (breakWith !== undefined) {
    const half = pieces.slice(0, Math.ceil(pieces.length / 2));
    return [
      ...opening,
      ...half,
      event('error', { code: breakWith.code ?? 'server_error', message: breakWith.message, param: null }),
    ];
  }
  if (answer.withoutEnd) return [...opening, ...pieces];
  const done = refusal === undefined ? { text: answer.text, logprobs: [] } : { refusal };
  return [
    ...opening,
    ...pieces,
    event(`response.${kind}.done`, { ...place, ...done }),
    event('response.content_part.done', { ...place, part: part(answer) }),
    event('response.output_item.done', { output_index: 0, item: message(answer) }),
    ...toolCalls.flatMap((call, i) => callEvents(event, call, i)),
    event(isComplete(answer) ? 'response.completed' : 'response.incomplete', {
      response: responsesAnswer(answer, asked),
    }),
  ];
}

const isComplete = ({ finish = 'stop' }: TextAnswer) => finish === 'stop' || finish === 'tool_calls';

function functionCall({ id = 'call_fake', name, arguments: text = '' }: FakeToolCall, index: number) {
  return {
    id: `fc_${index}`,
    type: 'function_call',
    call_id: id,
    name,
    arguments: text,
    status: 'completed',
  };
}

function callEvents(
  event: (type: string, data: object) => string,
  call: FakeToolCall,
  index: number,
): string[] {
  const item = functionCall(call, index);
  const place = { item_id: item.id, output_index: index + 1 };
  return [
    event('response.output_item.added', {
      output_index: index + 1,
      item: { ...item, arguments: '', status: 'in_progress' },
    }),
    event('response.function_call_arguments.delta', { ...place, delta: item.arguments }),
    event('response.function_call_arguments.done', { ...place, arguments: item.arguments }),
    event('response.output_item.done', { output_index: index + 1, item }),
  ];
}

function frame(asked: Asked, status: string) {
  return {
    id: 'resp_fake',
    object: 'response',
    created_at: 1_760_000_000,
    model: `${String(asked.model)}-2025-01-01`,
    status,
    error: null,
    incomplete_details: null,
  };
}

function message(answer: TextAnswer) {
  return { id: ITEM, type: 'message', role: 'assistant', status: 'completed', content: [part(answer)] };
}

function part({ text, refusal }: TextAnswer) {
  return refusal === undefined
    ? { type: 'output_text', text, annotations: [], logprobs: [] }
    : { type: 'refusal', refusal };
}

function responsesUsage({ input, output, cached, reasoning }: FakeUsage) {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached ?? 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning ?? 0 },
    total_tokens: input + output,
  };
}
