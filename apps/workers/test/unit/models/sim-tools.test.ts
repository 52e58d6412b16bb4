// Would catch: a simulator that cannot play an agent: that calls tools at random, for ever or with arguments that do not fit, or
// whose conversation depends on anything but the request.
import { compileSchema, type ModelMessage, type ModelRequest, type ModelTool } from '@pawl/tool-sdk';
import { describe, expect, it } from 'vitest';
import { createSimProvider } from '../../../src/models/sim.ts';
import { aContext, aRequest } from './call.ts';

const tool = (name: string, description: string, properties: object): ModelTool => ({
  name,
  description,
  schema: {
    type: 'object',
    required: Object.keys(properties),
    properties: properties as never,
    additionalProperties: false,
  },
});
const text = { type: 'string' };
const tools = [
  tool('weather', 'Tells the weather of a place.', { place: text }),
  tool('find_order', 'Finds an order by its number.', { orderNumber: { type: 'integer' } }),
  tool('refund', 'Refunds a customer for an order.', { customerId: text, amount: { type: 'number' } }),
];
const TASK = 'Find order 4711 and refund the customer.';

/** Plays a conversation to its end; each tool gives what it is told to. */
async function converse(request: ModelRequest, results: Record<string, string> = {}) {
  const sim = createSimProvider();
  const calls: { name: string; args: unknown }[] = [];
  let messages: ModelMessage[] = [...request.messages];
  for (let turn = 0; turn < 20; turn++) {
    const { text, toolCalls, finishReason } = await sim.call({ ...request, messages }, aContext());
    if (!toolCalls) return { text, finishReason, calls, turns: turn + 1, messages };
    expect(finishReason).toBe('tool_calls');
    calls.push(...toolCalls.map(({ name, arguments: args }) => ({ name, args: JSON.parse(args) })));
    messages = [
      ...messages,
      { role: 'assistant', content: text, toolCalls },
      ...toolCalls.map(
        ({ id, name }): ModelMessage => ({
          role: 'tool',
          callId: id,
          name,
          content: results[name] ?? '{}',
        }),
      ),
    ];
  }
  throw new Error('The conversation does not end');
}

describe('the simulator with tools', () => {
  it('calls what the task speaks of, each once, with arguments that fit, and answers from what they gave', async () => {
    const { calls, text } = await converse(aRequest(TASK, { tools }), {
      find_order: JSON.stringify({ customerId: 'c-9', amount: 12.5, note: 'The pump arrived broken.' }),
      refund: JSON.stringify({ receipt: 'The refund was booked under receipt 77.' }),
    });
    expect(calls.map(({ name }) => name)).toEqual(['find_order', 'refund']);
    for (const { name, args } of calls) {
      const { schema } = tools.find((each) => each.name === name)!;
      expect(compileSchema(schema, 'input').parse(args)).toMatchObject({ ok: true });
    }
    expect(calls[1]!.args).toEqual({ customerId: 'c-9', amount: 12.5 });
    expect(text).toMatch(/broken|receipt/);
  });

  it('takes arguments from what the task is about, not from the words of the task', async () => {
    const task =
      'Read the mail and act as we promise.\n\n<mail>\nThe pump of order 4711 arrived broken. Refund it.\n</mail>';
    const refund = tool('refund', 'Refunds.', { reason: text });
    const { calls } = await converse(aRequest(task, { tools: [refund] }));
    expect(calls).toEqual([{ name: 'refund', args: { reason: expect.stringContaining('pump') } }]);
  });

  it('same request, same conversation', async () => {
    const [one, other] = [
      await converse(aRequest(TASK, { tools })),
      await converse(aRequest(TASK, { tools })),
    ];
    expect(one).toEqual(other);
  });

  it('tries a tool when no word fits, then answers', async () => {
    const { calls, turns } = await converse(aRequest('北京今天怎么样？', { tools }));
    expect([calls.length, turns]).toEqual([1, 2]);
  });

  it('ends however many tools there are', async () => {
    const many = Array.from({ length: 30 }, (_, i) => tool(`find_order_${i}`, 'Finds an order.', {}));
    expect((await converse(aRequest(TASK, { tools: many }))).calls.length).toBeLessThanOrEqual(6);
  });

  it('obeys the schema of the final answer', async () => {
    const schema = { type: 'object', required: ['done'], properties: { done: { type: 'boolean' } } };
    const { text } = await converse(aRequest(TASK, { tools, schema }));
    expect(JSON.parse(text)).toMatchObject({ done: expect.any(Boolean) });
  });

  it('counts calls as output', async () => {
    const { usage } = await createSimProvider().call(aRequest(TASK, { tools }), aContext());
    expect(usage.output).toBeGreaterThan(10);
  });
});

describe('a rehearsal in the prompt', () => {
  const script = (turns: unknown) => `Be brief.\n\`\`\`sim\n${JSON.stringify(turns)}\n\`\`\``;
  const rehearsed = (turns: unknown, more: Partial<ModelRequest> = {}): ModelRequest => ({
    ...aRequest(TASK, { tools, ...more }),
    messages: [
      { role: 'system', content: script(turns) },
      { role: 'user', content: TASK },
    ],
  });

  it('says turn by turn what to call and what to say', async () => {
    const { calls, text, turns, messages } = await converse(
      rehearsed([
        {
          say: 'Two at once.',
          calls: [
            { name: 'weather', args: { place: 'Oslo' } },
            { name: 'refund', args: {} },
          ],
        },
        { calls: [{ name: 'find_order', args: { orderNumber: 1 } }] },
        { say: { done: true } },
      ]),
    );
    expect(calls).toEqual([
      { name: 'weather', args: { place: 'Oslo' } },
      { name: 'refund', args: {} },
      { name: 'find_order', args: { orderNumber: 1 } },
    ]);
    expect([text, turns]).toEqual(['{"done":true}', 3]);
    expect(messages[2]).toMatchObject({ role: 'assistant', content: 'Two at once.' });
  });

  it('may ask for what is wrong: other names, arguments that are no JSON, ids that repeat', async () => {
    const { toolCalls } = await createSimProvider().call(
      rehearsed([
        {
          calls: [
            { name: 'gone', args: '{"a":', id: 'x' },
            { name: 'refund', args: '', id: 'x' },
          ],
        },
      ]),
      aContext(),
    );
    expect(toolCalls).toEqual([
      { id: 'x', name: 'gone', arguments: '{"a":' },
      { id: 'x', name: 'refund', arguments: '' },
    ]);
  });

  it('is over after its last turn, and is no material', async () => {
    const request = { ...rehearsed([]), tools: [] };
    const { text } = await createSimProvider().call(request, aContext());
    expect(text).not.toContain('sim');
    for (const broken of ['no JSON', '{"a":1}'])
      await createSimProvider().call(aRequest(`\`\`\`sim\n${broken}\n\`\`\`\nSay hello.`), aContext());
  });
});
