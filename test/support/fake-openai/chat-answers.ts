import { DEFAULT_USAGE, type FakeUsage, piecesOf, type TextAnswer } from './script.ts';

type Asked = Record<string, unknown>;
const ID = 'chatcmpl-fake';
const CREATED = 1_760_000_000;

/** The whole answer of Chat Completions. */
export function chatAnswer(answer: TextAnswer, asked: Asked) {
  const { text, refusal, finish = 'stop', usage = DEFAULT_USAGE } = answer;
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
        },
        finish_reason: finish,
        logprobs: null,
      },
    ],
    usage: chatUsage(usage),
  };
}

/** The events of a streamed answer, `[DONE]` included. */
export function chatEvents(answer: TextAnswer, asked: Asked): string[] {
  const { refusal, finish = 'stop', usage = DEFAULT_USAGE, firstUsage, breakWith } = answer;
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
  const last = { ...chunk({}), choices: [{ index: 0, delta: {}, finish_reason: finish }] };
  const wantsUsage =
    (asked.stream_options as { include_usage?: boolean } | undefined)?.include_usage === true;
  const counted = wantsUsage ? [{ ...chunk({}), choices: [], usage: chatUsage(usage) }] : [];
  return [...[first, ...pieces, last, ...counted].map(event), 'data: [DONE]\n\n'];
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
