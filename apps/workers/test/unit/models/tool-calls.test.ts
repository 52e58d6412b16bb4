// Would catch: arguments of one call run as another's, a call lost or doubled on the wire, a conversation a provider refuses.
import type { ModelMessage, ModelProvider, ModelTool } from '@pawl/tool-sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeOpenAi, startFakeOpenAi } from '../../../../../test/support/fake-openai.ts';
import { createCompatibleProvider } from '../../../src/models/compatible.ts';
import { createOpenAiProvider } from '../../../src/models/openai.ts';
import { countInputTokens } from '../../../src/models/tokens.ts';
import { ToolCallPieces } from '../../../src/models/tool-call-pieces.ts';
import { aContext, aRequest, failureOf } from './call.ts';

const apiKey = 'test-key';
const tools: ModelTool[] = [
  {
    name: 'find',
    description: 'Finds a customer.',
    schema: { type: 'object', required: ['email'], properties: { email: { type: 'string' } } },
  },
  { name: 'now', schema: { type: 'object', properties: {} } },
];

let fake: FakeOpenAi;
beforeEach(async () => {
  fake = await startFakeOpenAi({ apiKey });
});
afterEach(() => fake.close());

const responses = {
  name: 'openai: Responses',
  model: 'gpt-4.1-mini',
  make: (baseUrl: string): ModelProvider => createOpenAiProvider({ apiKey, baseUrl, api: 'responses' }),
};
const chats = [
  {
    name: 'openai: Chat Completions',
    model: 'gpt-4.1-mini',
    make: (baseUrl: string): ModelProvider => createOpenAiProvider({ apiKey, baseUrl, api: 'chat' }),
  },
  {
    name: 'compatible:',
    model: 'local/llama3:8b',
    make: (baseUrl: string): ModelProvider => createCompatibleProvider({ local: { baseUrl, apiKey } }),
  },
];
const ways = [
  ['streamed', { onDelta: () => undefined }],
  ['at once', {}],
] as const;

describe.each([responses, ...chats])('$name', ({ make, model }) => {
  const request = (messages?: ModelMessage[]) =>
    aRequest('Who is ada@example.com?', { model, tools, ...(messages && { messages }) });

  it.each(ways)(
    '%s: offers the tools and gives back the calls, text beside them included',
    async (_, way) => {
      const toolCalls = [
        { id: 'call_a', name: 'find', arguments: '{"email":"ada@example.com"}' },
        { id: 'call_b', name: 'now', arguments: '{}' },
      ];
      fake.script({ text: 'Looking.', toolCalls });
      const response = await make(fake.baseUrl).call(request(), aContext(way));
      expect(response).toMatchObject({ text: 'Looking.', finishReason: 'tool_calls', toolCalls });
      expect(fake.requests.map(({ refused }) => refused)).toEqual([undefined]);
      const sent = JSON.stringify(fake.requests[0]!.body.tools);
      expect(sent).toContain('Finds a customer.');
      expect(sent).not.toContain('"strict":true');
    },
  );

  it('takes calls, their results and errors back into the conversation', async () => {
    const conversation: ModelMessage[] = [
      { role: 'user', content: 'Who is ada@example.com?' },
      {
        role: 'assistant',
        content: '',
        toolCalls: [
          { id: 'a', name: 'find', arguments: '{"email":"ada@example.com"}' },
          { id: 'b', name: 'gone', arguments: 'no JSON' },
        ],
      },
      { role: 'tool', callId: 'a', name: 'find', content: '{"name":"Ada"}' },
      { role: 'tool', callId: 'b', name: 'gone', content: 'There is no tool "gone".', isError: true },
    ];
    fake.script({ text: 'Ada.' });
    const response = await make(fake.baseUrl).call(request(conversation), aContext());
    expect(response).toMatchObject({ text: 'Ada.', finishReason: 'stop' });
    expect(response.toolCalls).toBeUndefined();
    const [sent] = fake.requests;
    expect(sent!.refused).toBeUndefined();
    const said = JSON.stringify(sent!.body.messages ?? sent!.body.input);
    for (const part of ['ada@example.com', 'Ada', 'There is no tool']) expect(said).toContain(part);
  });

  it('a call for a tool whose result is missing is refused by the server, not by chance', async () => {
    const conversation: ModelMessage[] = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'find', arguments: '{}' }] },
      { role: 'user', content: 'And?' },
    ];
    expect((await failureOf(make(fake.baseUrl), request(conversation))).status).toBe(400);
  });

  it('C65: empty arguments come through as they are', async () => {
    fake.script({ text: '', toolCalls: [{ id: 'a', name: 'now', arguments: '' }] });
    for (const [, way] of ways) {
      const { toolCalls } = await make(fake.baseUrl).call(request(), aContext(way));
      expect(toolCalls!.map(({ name }) => name)).toEqual(['now']);
      expect(['', '{}']).toContain(toolCalls![0]!.arguments);
    }
  });
});

describe.each(chats)('$name, in pieces', ({ make, model }) => {
  const start = (index: number, id: string | undefined, name: string) => ({
    index,
    ...(id !== undefined && { id }),
    type: 'function',
    function: { name, arguments: '' },
  });
  const piece = (index: number, text: string, id?: string) => ({
    index,
    ...(id !== undefined && { id }),
    function: { arguments: text },
  });

  it.each([
    [
      'deltas that take turns',
      [
        start(0, 'a', 'find'),
        start(1, 'b', 'find'),
        piece(0, '{"email":'),
        piece(1, '{"email":'),
        piece(0, '"x@y.z"}'),
        piece(1, '"p@q.r"}'),
      ],
    ],
    [
      'one index for two ids',
      [
        start(0, 'a', 'find'),
        piece(0, '{"email":"x@y.z"}', 'a'),
        start(0, 'b', 'find'),
        piece(0, '{"email":"p@q.r"}', 'b'),
      ],
    ],
    [
      'whole calls on one index, the same tool twice',
      [
        { ...start(0, 'a', 'find'), function: { name: 'find', arguments: '{"email":"x@y.z"}' } },
        { ...start(0, 'b', 'find'), function: { name: 'find', arguments: '{"email":"p@q.r"}' } },
      ],
    ],
    [
      'an id on the first delta only',
      [
        start(0, 'a', 'find'),
        piece(0, '{"email":'),
        piece(0, '"x@y.z"}'),
        start(1, 'b', 'find'),
        piece(1, '{"email":"p@q.r"}'),
      ],
    ],
  ] as const)('C64: %s: each call has its own arguments', async (_, toolDeltas) => {
    fake.script({ text: '', toolDeltas });
    const provider = make(fake.baseUrl);
    const asked = aRequest('Find both.', { model, tools });
    const { toolCalls } = await provider.call(asked, aContext({ onDelta: () => undefined }));
    expect(toolCalls).toEqual([
      { id: 'a', name: 'find', arguments: '{"email":"x@y.z"}' },
      { id: 'b', name: 'find', arguments: '{"email":"p@q.r"}' },
    ]);
  });
});

it.each([
  [
    'without ids',
    [
      [0, undefined, 'find', '{"a":1}'],
      [1, undefined, 'now', ''],
    ],
    ['{"a":1}', ''],
  ],
  [
    'whole, without ids, on one index',
    [
      [0, '', 'find', '{"a":1}'],
      [0, '', 'find', '{"a":2}'],
    ],
    ['{"a":1}', '{"a":2}'],
  ],
  [
    'without ids and indexes',
    [
      [undefined, undefined, 'find', '{"a":'],
      [undefined, undefined, undefined, '1}'],
    ],
    ['{"a":1}'],
  ],
  [
    'with the id on a later piece',
    [
      [0, undefined, 'find', '{"a":'],
      [0, 'x', undefined, '1}'],
    ],
    ['{"a":1}'],
  ],
  [
    'with one id for two calls',
    [
      [0, 'x', 'find', '{"a":1}'],
      [1, 'x', 'find', '{"a":2}'],
    ],
    ['{"a":1}', '{"a":2}'],
  ],
] as const)('C64: pieces %s', (_, pieces, texts) => {
  const joined = new ToolCallPieces();
  for (const [index, id, name, text] of pieces)
    joined.take({
      choices: [{ delta: { tool_calls: [{ index, id, function: { name, arguments: text } }] } }],
    });
  const calls = joined.calls();
  expect(calls.map((call) => call.arguments)).toEqual(texts);
  for (const call of calls) expect(call.id).not.toBe('');
});

it('C64: what is no chunk is passed over', () => {
  const joined = new ToolCallPieces();
  for (const chunk of [null, 'x', {}, { choices: [] }, { choices: [{ delta: { tool_calls: null } }] }])
    joined.take(chunk);
  expect(joined.calls()).toEqual([]);
});

it('V6: tools and the calls in a conversation count towards what a call may cost', () => {
  const plain = aRequest('Hi.');
  const withTools = { ...plain, tools };
  expect(countInputTokens(withTools)).toBeGreaterThan(countInputTokens(plain) + 30);
  const toolCalls = [{ id: 'a', name: 'find', arguments: `{"email":"${'x'.repeat(400)}"}` }];
  const called = { ...plain, messages: [...plain.messages, { role: 'assistant', content: '', toolCalls }] };
  expect(countInputTokens(called as typeof plain)).toBeGreaterThan(countInputTokens(plain) + 100);
});
