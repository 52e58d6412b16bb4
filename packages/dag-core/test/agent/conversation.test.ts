// Would catch: a conversation that differs from worker to worker, results that reach the model under another call's id, arguments
// taken for something they are not.
import { describe, expect, it } from 'vitest';
import {
  callNameOf,
  fatesOf,
  messagesOfTurns,
  type RecordedTurn,
  readArguments,
  turnValue,
} from '../../src/index.ts';

const call = (id: string, name: string, args = '{}') => ({ id, name, arguments: args });
const refused = { code: 'tool_unknown', message: 'There is no tool "x".', class: 'permanent' } as const;

describe('arguments of a call (K19, C65)', () => {
  it.each(['', '  ', 'null', '{}'])('%j is no arguments', (text) => {
    expect(readArguments(text)).toEqual({ args: {} });
  });

  it.each([
    ['{"a":', 'not JSON'],
    ['{"a":1}{"a":2}', 'not JSON'],
    ['[1]', 'a list'],
    ['"text"', 'a string'],
    ['7', 'a number'],
    ['{"id":9007199254740993}', 'unsafe_integer at /id'],
    ['{"__proto__":{}}', 'reserved'],
  ])('%j is refused with a sentence', (text, words) => {
    const { failure } = readArguments(text) as { failure: { code: string; message: string } };
    expect(failure).toMatchObject({ code: 'arguments_unreadable', class: 'permanent' });
    expect(failure.message).toContain(words);
  });

  it('X9: big integers are kept where the flow says so', () => {
    expect(readArguments('{"id":9007199254740993}', 'strings')).toEqual({ args: { id: '9007199254740993' } });
  });

  it('a long text is not quoted whole', () => {
    const { failure } = readArguments(`{"a":"${'x'.repeat(10_000)}`) as { failure: { message: string } };
    expect(failure.message.length).toBeLessThan(1_000);
  });
});

describe('what becomes of calls (K19, C64, C65)', () => {
  const names = ['find', 'pay'];

  it('each known one is a node run named after its tool and its place', () => {
    expect(fatesOf([call('a', 'find'), call('b', 'pay'), call('c', 'find')], names)).toEqual([
      { run: 'find-0' },
      { run: 'pay-1' },
      { run: 'find-2' },
    ]);
  });

  it('an unknown name is refused with the names there are', () => {
    expect(fatesOf([call('a', 'finde')], names)).toMatchObject([
      { refused: { message: 'There is no tool "finde"; there are find, pay.' } },
    ]);
  });

  it('an id that repeats is refused the second time; calls without ids are not the same', () => {
    expect(fatesOf([call('a', 'find'), call('a', 'pay')], names)).toMatchObject([
      { run: 'find-0' },
      { refused: { code: 'call_id_repeated' } },
    ]);
    expect(fatesOf([call('', 'find'), call('', 'pay')], names)).toEqual([
      { run: 'find-0' },
      { run: 'pay-1' },
    ]);
  });

  it('a flood is refused beyond 32', () => {
    const fates = fatesOf(
      Array.from({ length: 40 }, (_, i) => call(`${i}`, 'find')),
      names,
    );
    expect(fates.filter((fate) => 'run' in fate)).toHaveLength(32);
    expect(fates.at(-1)).toMatchObject({ refused: { code: 'too_many_calls' } });
  });

  it('a tool is called by its name without version, in letters that providers take', () => {
    expect(callNameOf({ tool: 'crm.find@1' })).toBe('crm_find');
    expect(callNameOf({ tool: 'mcp.x.y@2.0', name: 'other' })).toBe('other');
  });
});

describe('the conversation (K19)', () => {
  const turn = (more: Partial<RecordedTurn> = {}): RecordedTurn => ({
    answer: { text: 'Looking.', toolCalls: [call('a', 'find', '{"q":1}'), call('b', 'x'), call('c', 'pay')] },
    fates: [{ run: 'find-0' }, { refused }, { run: 'pay-2' }],
    results: new Map([
      ['find-0', { status: 'succeeded', output: { name: 'Ada' } }],
      ['pay-2', { status: 'failed', failure: { code: 'declined', message: 'The card was declined.' } }],
    ]),
    ...more,
  });

  it('holds each answer and then what became of each of its calls, in their order', () => {
    expect(messagesOfTurns([turn()])).toEqual([
      { role: 'assistant', content: 'Looking.', toolCalls: turn().answer.toolCalls },
      { role: 'tool', callId: 'a', name: 'find', content: '{"name":"Ada"}' },
      {
        role: 'tool',
        callId: 'b',
        name: 'x',
        content: JSON.stringify({ error: { code: 'tool_unknown', message: refused.message } }),
        isError: true,
      },
      {
        role: 'tool',
        callId: 'c',
        name: 'pay',
        content: '{"error":{"code":"declined","message":"The card was declined."}}',
        isError: true,
      },
    ]);
  });

  it('gives every call an id of its own, over all turns', () => {
    const repeating = turn({
      answer: { text: '', toolCalls: [call('a', 'find'), call('a', 'find'), call('', 'find')] },
      fates: [{ run: 'find-0' }, { refused }, { run: 'find-2' }],
    });
    const messages = messagesOfTurns([repeating, repeating]);
    const asked = messages.flatMap((message) => ('toolCalls' in message ? (message.toolCalls ?? []) : []));
    const answered = messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : []));
    expect(new Set(asked.map(({ id }) => id)).size).toBe(6);
    expect(answered).toEqual(asked.map(({ id }) => id));
  });

  it('tells what a person skipped, and text as it is', () => {
    const said = turn({
      fates: [{ run: 'find-0' }],
      answer: { text: '', toolCalls: [call('a', 'find')] },
    });
    const content = (output: RecordedTurn['results']) => messagesOfTurns([{ ...said, results: output }])[1];
    expect(content(new Map([['find-0', { status: 'succeeded', output: 'plain' }]]))).toMatchObject({
      content: 'plain',
    });
    expect(content(new Map([['find-0', { status: 'succeeded' }]]))).toMatchObject({ content: 'null' });
    expect(content(new Map([['find-0', { status: 'skipped' }]]))).toMatchObject({ isError: true });
  });

  it('cuts a long result between characters and says so', () => {
    const output = '🌍'.repeat(30_000);
    const long = turn({ results: new Map([['find-0', { status: 'succeeded', output }]]) });
    const { content } = messagesOfTurns([long])[1]!;
    expect(content.length).toBeLessThan(50_100);
    expect(content).toMatch(/\(cut: the first \d+ of 60000 characters\)$/);
    expect(content).not.toMatch(/\p{Surrogate}/u);
  });

  it('is to expressions what was said, asked and given', () => {
    expect(turnValue(turn(), 2)).toEqual({
      index: 2,
      text: 'Looking.',
      calls: [
        { name: 'find', args: { q: 1 }, result: { name: 'Ada' } },
        { name: 'x', args: {}, failure: { code: 'tool_unknown', message: 'There is no tool "x".' } },
        { name: 'pay', args: {}, failure: { code: 'declined', message: 'The card was declined.' } },
      ],
    });
    expect(turnValue({ answer: { text: 'Done.' }, fates: [], results: new Map() }, 0)).toEqual({
      index: 0,
      text: 'Done.',
      calls: [],
    });
  });
});
