// Which mistake would this catch? A testing kit that is content with a tool that breaks its word.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type AcceptedCall,
  defineTool,
  HttpError,
  NotAppliedError,
  PermanentError,
  type Tool,
  type ToolContext,
} from '../../src/index.ts';
import {
  assertToolContract,
  type ContractOptions,
  checkToolContract,
  testTool,
} from '../../src/testing/index.ts';

const URL = 'https://pay.example/charges';
type Execute = (ctx: ToolContext, args: { cents: number }) => Promise<unknown>;
type Effect = 'pure' | 'idempotent' | 'non_repeatable';

const toolWith = (effect: Effect, execute: Execute, more: object = {}): Tool =>
  defineTool({
    name: 'pay.charge',
    version: '1',
    effect,
    input: z.object({ cents: z.int() }),
    execute,
    ...more,
  } as never);

const post = async (
  ctx: ToolContext,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> => {
  const response = await ctx.fetch(URL, { method: 'POST', body: JSON.stringify(body), headers });
  if (!response.ok) throw await HttpError.from(response);
  return response;
};
const good: Execute = async (ctx, { cents }) => (await post(ctx, { cents })).json();

/** Its service takes the call and is asked later. */
const accepting: Execute = async (ctx, { cents }) => {
  const { id } = (await (await post(ctx, { cents })).json()) as { id: string };
  return ctx.accepted({ deadlineMs: 60_000, pollEveryMs: 1_000, reference: { charge: id } });
};
const output = z.object({ id: z.string() });

const options: ContractOptions = {
  args: { cents: 500 },
  invalidArgs: [{ cents: 'many' }],
  respond: () => Response.json({ id: 'ch_1' }),
  abortGraceMs: 100,
};
const failed = async (tool: Tool, more: Partial<ContractOptions> = {}): Promise<string[]> =>
  (await checkToolContract(tool, { ...options, ...more })).checks
    .filter((check) => check.verdict === 'failed')
    .map((check) => check.name);

describe('tools that keep their word', () => {
  it.each(['idempotent', 'non_repeatable'] as const)('a plain %s tool passes', async (effect) => {
    const report = await checkToolContract(toolWith(effect, good), options);
    expect(report.checks.filter((check) => check.verdict === 'failed')).toEqual([]);
    expect(report.passed).toBe(true);
    await assertToolContract(toolWith(effect, good), options);
  });

  it('a pure tool that uses the recorded clock and randomness passes', async () => {
    const tool = toolWith('pure', async (ctx, { cents }) => ({
      cents,
      at: ctx.now(),
      dice: ctx.random(),
      id: ctx.uuid(),
    }));
    expect(await failed(tool)).toEqual([]);
  });

  it('a probe that looks passes', async () => {
    const probe = async (ctx: ToolContext): Promise<unknown> => {
      await ctx.fetch(`${URL}?key=1`);
      return { answer: 'applied', result: { id: 'ch_1' } };
    };
    expect(await failed(toolWith('non_repeatable', good, { probe }))).toEqual([]);
  });

  it.each([
    { answer: 'done', result: { id: 'ch_1' } },
    { answer: 'failed', failure: { message: 'declined' } },
    { answer: 'not_yet' },
    { answer: 'not_yet', retryAfterMs: 60_000 },
  ])('a poll that looks passes: $answer', async (answer) => {
    const seen: unknown[] = [];
    const poll = async (ctx: ToolContext, _args: unknown, { reference }: AcceptedCall): Promise<unknown> => {
      await ctx.fetch(`${URL}/ch_1`);
      seen.push(reference);
      return answer;
    };
    expect(await failed(toolWith('non_repeatable', accepting, { poll, output }))).toEqual([]);
    expect(seen).toEqual([{ charge: 'ch_1' }]);
  });
});

describe('tools that break it are caught', () => {
  it.each<[string, Effect, Execute, string]>([
    ['a pure tool that posts', 'pure', good, 'the declared class fits what was seen'],
    [
      'a pure tool that stores an artifact',
      'pure',
      async (ctx) => ctx.artifacts.put({ name: 'a', mediaType: 'text/plain', data: 'x' }),
      'the declared class fits what was seen',
    ],
    [
      'a pure tool that posts past its context',
      'pure',
      async () => (await fetch(URL, { method: 'POST' })).json(),
      'the declared class fits what was seen',
    ],
    [
      'a write without the key, past the context',
      'idempotent',
      async (_ctx, args) => (await fetch(URL, { method: 'POST', body: JSON.stringify(args) })).json(),
      'the same key is used every time',
    ],
    [
      'a fresh key for every attempt',
      'idempotent',
      async (ctx, args) => (await post(ctx, args, { 'idempotency-key': crypto.randomUUID() })).json(),
      'the same key is used every time',
    ],
    [
      'one key for all effects',
      'idempotent',
      async (ctx, args) => (await post(ctx, args, { 'idempotency-key': 'constant' })).json(),
      'the same key is used every time',
    ],
    [
      'a body that differs between attempts',
      'idempotent',
      async (ctx) => (await post(ctx, { attempt: ctx.attempt })).json(),
      'the same key is used every time',
    ],
    [
      'the wall clock in the output',
      'pure',
      async () => ({ at: new Date().toISOString() }),
      'the same call gives the same output',
    ],
    [
      'real randomness in the output',
      'pure',
      async () => ({ dice: Math.random() }),
      'the same call gives the same output',
    ],
    [
      'a loop of its own around a write',
      'non_repeatable',
      async (ctx, args) => {
        for (let turn = 0; turn < 3; turn++) {
          const response = await ctx.fetch(URL, { method: 'POST', body: JSON.stringify(args) });
          if (response.ok) return response.json();
        }
        throw new PermanentError({ message: 'gave up' });
      },
      'it does not retry writes by itself',
    ],
    [
      'a swallowed error status',
      'idempotent',
      async (ctx, args) => {
        const response = await ctx.fetch(URL, { method: 'POST', body: JSON.stringify(args) });
        return { ok: response.ok };
      },
      'it does not retry writes by itself',
    ],
    [
      'a lost answer called a non-event',
      'non_repeatable',
      (ctx, args) =>
        good(ctx, args).catch((cause: unknown) => {
          throw new NotAppliedError({ message: 'network', cause });
        }),
      'a lost answer is not called a success or a non-event',
    ],
    [
      'a lost answer called a success',
      'idempotent',
      (ctx, args) => good(ctx, args).catch(() => ({ id: 'unknown' })),
      'a lost answer is not called a success or a non-event',
    ],
    [
      'a lost answer called final',
      'non_repeatable',
      (ctx, args) =>
        good(ctx, args).catch((cause: unknown) => {
          throw new PermanentError({ message: 'network', cause });
        }),
      'a lost answer is not called a success or a non-event',
    ],
    ['a tool that never ends', 'pure', () => new Promise(() => undefined), 'an abort stops it'],
    [
      'a request past the signal',
      'idempotent',
      async (_ctx, args) => (await fetch(URL, { method: 'POST', body: JSON.stringify(args) })).json(),
      'an abort before the start prevents the work',
    ],
    ['an output that is not JSON', 'pure', async () => ({ at: new Map() }), 'schemas round trip'],
  ])('%s', async (_case, effect, execute, check) => {
    const gentle = execute.toString().includes('new Promise') ? hangingAfterAbortOnly(execute) : execute;
    expect(await failed(toolWith(effect, gentle))).toContain(check);
  });

  it('arguments that should be refused and are not', async () => {
    expect(await failed(toolWith('idempotent', good), { invalidArgs: [{ cents: 1 }] })).toContain(
      'bad arguments are refused',
    );
  });

  it('an output that changes when it is recorded', async () => {
    const tool = toolWith('pure', async () => ({ text: 'a' }), {
      output: z.object({ text: z.string().overwrite((text) => `${text}!`) }),
    });
    expect(await failed(tool)).toContain('schemas round trip');
  });

  it('a probe that writes, and one that answers nonsense', async () => {
    const writing = async (ctx: ToolContext): Promise<unknown> => {
      await ctx.fetch(URL, { method: 'POST' });
      return { answer: 'unknown' };
    };
    expect(await failed(toolWith('non_repeatable', good, { probe: writing }))).toEqual(['the probe answers']);
    const odd = async (): Promise<unknown> => ({ answer: 'perhaps' });
    expect(await failed(toolWith('non_repeatable', good, { probe: odd }))).toEqual(['the probe answers']);
  });

  it.each<[string, unknown]>([
    ['nonsense', { answer: 'perhaps' }],
    ['nothing', {}],
    ['a result that does not fit', { answer: 'done', result: { id: 7 } }],
    ['a failure without a message', { answer: 'failed', failure: {} }],
    ['a wish to be asked at once', { answer: 'not_yet', retryAfterMs: 0 }],
  ])('a poll that answers %s', async (_case, answer) => {
    const tool = toolWith('non_repeatable', accepting, { poll: async () => answer, output });
    expect(await failed(tool)).toEqual(['the poll answers']);
  });

  it('a poll that writes, one that is missing, and a pure tool that waits', async () => {
    const writing = async (ctx: ToolContext): Promise<unknown> => {
      await ctx.fetch(URL, { method: 'POST' });
      return { answer: 'not_yet' };
    };
    expect(await failed(toolWith('idempotent', accepting, { poll: writing, output }))).toEqual([
      'the poll answers',
    ]);
    expect(await failed(toolWith('idempotent', accepting, { output }))).toEqual(['schemas round trip']);
    const pure = toolWith('pure', async (ctx) => ctx.accepted({ deadlineMs: 1 }));
    expect(await failed(pure)).toEqual(['schemas round trip']);
  });

  it('a probe of the undoing that writes, and one that answers nonsense', async () => {
    const run = async () => undefined;
    const broken = (probe: unknown) =>
      failed(toolWith('non_repeatable', good, { compensate: { run, probe } }));
    const writing = async (ctx: ToolContext): Promise<unknown> => {
      await ctx.fetch(URL, { method: 'POST' });
      return { answer: 'unknown' };
    };
    expect(await broken(writing)).toEqual(['the probe of its undoing answers']);
    expect(await broken(async () => ({ answer: 'perhaps' }))).toEqual(['the probe of its undoing answers']);
    expect(await broken(async () => ({ answer: 'applied' }))).toEqual([]);
  });

  it('assertToolContract names every broken promise', async () => {
    await expect(assertToolContract(toolWith('pure', good), options)).rejects.toThrow(
      /pay\.charge@1 breaks its contract:\n- the declared class fits/,
    );
  });
});

/** Ends at once unless the signal of the attempt is still open and the service was never asked: then it hangs. */
function hangingAfterAbortOnly(execute: Execute): Execute {
  let calls = 0;
  return async (ctx, args) => {
    calls++;
    // Four plain calls come first (round trip, class, and two for the output), which must end.
    return calls <= 4 ? { n: 1 } : execute(ctx, args);
  };
}

describe('testTool', () => {
  it('when the arguments do not fit, it says so as a worker would', async () => {
    await expect(testTool(toolWith('pure', good), { args: {} })).rejects.toMatchObject({
      code: 'tool_input',
    });
  });

  it('when it has run, everything the tool did is there, and the real fetch is back', async () => {
    const before = globalThis.fetch;
    const tool = toolWith('idempotent', async (ctx, args) => {
      ctx.progress(0.5, 'half');
      ctx.logger.info({ cents: args.cents }, 'charging');
      ctx.heartbeat();
      const ref = await ctx.artifacts.put({
        name: 'r.txt',
        mediaType: 'text/plain',
        data: await ctx.secret('token'),
      });
      const again = await ctx.artifacts.put({ name: 'r.txt', mediaType: 'text/plain', data: 'other' });
      return [ref.version, again.version, Buffer.from(await ctx.artifacts.get(ref)).toString()];
    });
    const { output, seen } = await testTool(tool, { args: { cents: 1 }, secrets: { token: 'tok' } });
    expect(output).toEqual([1, 2, 'tok']);
    expect(seen).toMatchObject({
      heartbeats: 1,
      progress: [{ fraction: 0.5, note: 'half' }],
      logs: [{ level: 'info', fields: { cents: 1 }, message: 'charging' }],
    });
    expect(globalThis.fetch).toBe(before);
    await expect(testTool(tool, { args: { cents: 1 } })).rejects.toMatchObject({ code: 'secret_missing' });
  });
});
