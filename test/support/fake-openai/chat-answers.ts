import {
  DEFAULT_USAGE,
  type FakeToolCall,
  type FakeUsage,
  finishOf,
  piecesOf,
  type TextAnswer,
} from './script.ts';

type Asked = Record<string, unknown>;
const ID = 'chatcmpl-fake';
const CREATED = 1_760_000_000;

/** The whole answer of Chat Completions. */
export function chatAnswer(answer: TextAnswer, asked: Asked) {
  const { text, refusal, toolCalls, usage = DEFAULT_USAGE } = answer;
  return {
    id: ID,
    object: 'chat.completion',
    created: CREATED,
    model: `${String(asked.model)}-2025-01-01`,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: refusal === undefined ? text : null,
          refusal: refusal ?? null,
          ...(toolCalls && { tool_calls: toolCalls.map(wholeCall) }),
        },
        finish_reason: finishOf(answer),
        logprobs: null,
      },
    ],
    usage: chatUsage(usage),
  };
}

/** The events of a streamed answer, `[DONE]` included. */
export function chatEvents(answer: TextAnswer, asked: Asked): string[] {
  const { refusal, toolCalls = [], usage = DEFAULT_USAGE, firstUsage, breakWith } = answer;
  const chunk = (delta: object, more: object = {}) => ({
    id: ID,
    object: 'chat.completion.chunk',
    created: CREATED,
    model: `${String(asked.model)}-2025-01-01`,
    choices: [{ index: 0, delta, finish_reason: null }],
    ...more,
  });
  const pieces = piecesOf(answer).map((piece) =>
    chunk(refusal === undefined ? { content: piece } : { refusal: piece }),
  );
  const deltas = answer.toolDeltas ?? toolCalls.flatMap(callDeltas);
  pieces.push(...deltas.map((delta) => chunk({ tool_calls: [delta] })));
  const first = chunk(
    { role: 'assistant', content: '' },
    firstUsage === undefined ? {} : { usage: chatUsage(firstUsage) },
  );
  if (breakWith !== undefined) {
    const half = pieces.slice(0, Math.ceil(pieces.length / 2));
    return [
      ...[first, ...half].map(event),
      event({ error: { message: breakWith.message, type: 'server_error', code: breakWith.code ?? null } }),
    ];
  }
  if (answer.withoutEnd) return [first, ...pieces].map(event);
  const last = { ...chunk({}), choices: [{ index: 0, delta: {}, finish_reason: finishOf(answer) }] };
  const wantsUsage =
    (asked.stream_options as { include_usage?: boolean } | undefined)?.include_usage === true;
  const counted = wantsUsage ? [{ ...chunk({}), choices: [], usage: chatUsage(usage) }] : [];
  return [...[first, ...pieces, last, ...counted].map(event), 'data: [DONE]\n\n'];
}

const wholeCall = ({ name, arguments: text, ...rest }: FakeToolCall) => ({
  ...rest,
  type: 'function',
  function: { name, ...(text !== undefined && { arguments: text }) },
});

/** Name first, then the arguments in two pieces. */
function callDeltas(call: FakeToolCall, index: number): object[] {
  const text = call.arguments ?? '';
  const half = Math.ceil(text.length / 2);
  return [
    { index, ...wholeCall({ ...call, arguments: '' }) },
    ...[text.slice(0, half), text.slice(half)]
      .filter((piece) => piece !== '')
      .map((piece) => ({ index, function: { arguments: piece } })),
  ];
}

function chatUsage({ input, output, cached, reasoning }: FakeUsage) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached ?? 0 },
    completion_tokens_details: { reasoning_tokens: reasoning ?? 0 },
  };
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
