// The contract that a tool makes by its declaration, as checks that can be run. Each check executes the tool with the
// given arguments against a service that only notes what it is asked.
import { isDeepStrictEqual } from 'node:util';
import type { ToolContext } from '../context.ts';
import { AttemptAbort } from '../errors.ts';
import { toFailure } from '../failure-table.ts';
import type { Json } from '../json.ts';
import type { Tool } from '../tool.ts';
import { withClockAhead, withFetch } from './replaced-globals.ts';
import type { Responder, Seen, SeenRequest, TestContextOptions } from './test-context.ts';
import { createTestContext, spyFetch } from './test-context.ts';
import { testTool } from './test-tool.ts';

export interface ContractOptions {
  /** Arguments that the tool accepts and that lead it to its effect. */
  readonly args: Json;
  /** Arguments that it must refuse. */
  readonly invalidArgs?: readonly Json[];
  readonly secrets?: Readonly<Record<string, string>>;
  /** What the service answers. Default: 200 with `{}`. */
  readonly respond?: Responder;
  /** How long the tool may take to stop after an abort, milliseconds. Default 1,000. */
  readonly abortGraceMs?: number;
}

export interface ContractCheck {
  readonly name: string;
  readonly verdict: 'passed' | 'failed' | 'skipped';
  /** What was seen, in a sentence. */
  readonly detail: string;
}

export interface ContractReport {
  readonly tool: string;
  readonly passed: boolean;
  readonly checks: readonly ContractCheck[];
}

const DAY_MS = 86_400_000;

type Verdict = { readonly failed: string } | { readonly passed: string } | { readonly skipped: string };
type Check = (tool: Tool, options: ContractOptions) => Promise<Verdict> | Verdict;

const CHECKS: Readonly<Record<string, Check>> = {
  'schemas round trip': schemasRoundTrip,
  'bad arguments are refused': badArgumentsRefused,
  'the declared class fits what was seen': classFits,
  'the same key is used every time': sameKey,
  'the same call gives the same output': sameOutput,
  'it does not retry writes by itself': noOwnRetries,
  'a lost answer is not called a success or a non-event': lostAnswerIsOpen,
  'an abort before the start prevents the work': abortBefore,
  'an abort stops it': abortDuring,
  'the probe answers': probeAnswers,
  'the poll answers': pollAnswers,
  'the probe of its undoing answers': undoProbeAnswers,
};

/** Runs every check and reports all of them; nothing is thrown for a tool that breaks its contract. */
export async function checkToolContract(tool: Tool, options: ContractOptions): Promise<ContractReport> {
  const checks: ContractCheck[] = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    checks.push({ name, ...(await verdictOf(check, tool, options)) });
  }
  return { tool: tool.ref, passed: checks.every((check) => check.verdict !== 'failed'), checks };
}

/**
 * For tests: throws when a check fails, with all failed checks in the message.
 * @example await assertToolContract(chargeCard, { args: { orderId: 'o-1', cents: 500 } });
 */
export async function assertToolContract(tool: Tool, options: ContractOptions): Promise<void> {
  const report = await checkToolContract(tool, options);
  if (report.passed) return;
  const lines = report.checks
    .filter((check) => check.verdict === 'failed')
    .map((check) => `- ${check.name}: ${check.detail}`);
  throw new Error(`Tool ${report.tool} breaks its contract:\n${lines.join('\n')}`);
}

async function verdictOf(
  check: Check,
  tool: Tool,
  options: ContractOptions,
): Promise<Pick<ContractCheck, 'verdict' | 'detail'>> {
  try {
    const verdict = await check(tool, options);
    if ('failed' in verdict) return { verdict: 'failed', detail: verdict.failed };
    if ('skipped' in verdict) return { verdict: 'skipped', detail: verdict.skipped };
    return { verdict: 'passed', detail: verdict.passed };
  } catch (problem) {
    return { verdict: 'failed', detail: `It threw: ${textOf(problem)}` };
  }
}

const call = (tool: Tool, options: ContractOptions, more: TestContextOptions = {}) =>
  testTool(tool, { args: options.args, secrets: options.secrets, respond: options.respond, ...more });

async function schemasRoundTrip(tool: Tool, options: ContractOptions): Promise<Verdict> {
  const { output, accepted } = await call(tool, options);
  const declaration: unknown = JSON.parse(JSON.stringify(tool.declaration()));
  if (!isDeepStrictEqual(declaration, tool.declaration()))
    return { failed: 'The declaration is not plain JSON.' };
  if (accepted && tool.effect === 'pure')
    return {
      failed: 'It is declared pure and returns that its call was accepted; only an effect is waited for.',
    };
  if (accepted && tool.poll === undefined && (accepted.pollEveryMs ?? accepted.reference) !== undefined)
    return { failed: 'It returns how often, or with what, it is asked about the call, and has no poll.' };
  if (accepted) return { passed: 'Arguments survive being recorded; the service tells the output later.' };
  const again = tool.parseOutput(JSON.parse(JSON.stringify(output)));
  if (!again.ok || !isDeepStrictEqual(again.value, output)) {
    return {
      failed: 'The recorded output does not pass the output schema unchanged, so a restart would change it.',
    };
  }
  return { passed: 'Arguments and output survive being recorded.' };
}

function badArgumentsRefused(tool: Tool, options: ContractOptions): Verdict {
  const bad = options.invalidArgs ?? [];
  if (bad.length === 0) return { skipped: 'No invalidArgs were given.' };
  const accepted = bad.find((args) => tool.parseInput(args).ok);
  if (accepted !== undefined) return { failed: `It accepts ${JSON.stringify(accepted)}.` };
  return { passed: `${bad.length} refused.` };
}

async function classFits(tool: Tool, options: ContractOptions): Promise<Verdict> {
  const { seen } = await call(tool, options);
  const write = seen.requests.find((request) => request.writes);
  if (tool.effect !== 'pure') return { passed: `Declared ${tool.effect}; ${describe(seen)}.` };
  if (write !== undefined) return { failed: `It is declared pure but sends ${write.method} ${write.url}.` };
  if (seen.artifacts.length > 0) return { failed: 'It is declared pure but stores an artifact.' };
  return { passed: 'Nothing was written.' };
}

/** Two attempts of one effect, then another effect: same key, same key, other key. */
async function sameKey(tool: Tool, options: ContractOptions): Promise<Verdict> {
  if (tool.effect === 'pure') return { skipped: 'Pure tools have no key.' };
  const first = await call(tool, options, { idempotencyKey: 'key-a', attempt: 1 });
  const second = await call(tool, options, { idempotencyKey: 'key-a', attempt: 2 });
  const other = await call(tool, options, { idempotencyKey: 'key-b', attempt: 1 });
  const writes = [first, second, other].map(({ seen }) => seen.requests.filter((request) => request.writes));
  const [a, b, c] = writes as [SeenRequest[], SeenRequest[], SeenRequest[]];
  if (a.length === 0 && first.seen.keyReads === 0) {
    return {
      skipped: 'No write was seen and the key was not read; check by hand that a second call is harmless.',
    };
  }
  const bare = a.find((request) => request.key === undefined);
  if (bare !== undefined) {
    return {
      failed: `${bare.method} ${bare.url} carries no Idempotency-Key; use ctx.fetch or send ctx.idempotencyKey.`,
    };
  }
  const keys = (requests: SeenRequest[]): string => requests.map((request) => request.key).join(' ');
  if (keys(a) !== keys(b)) return { failed: `The keys of two attempts differ: ${keys(a)} and ${keys(b)}.` };
  if (a.length > 0 && keys(a) === keys(c))
    return { failed: `Two different effects use the same key: ${keys(a)}.` };
  const bodies = (requests: SeenRequest[]): string[] => requests.map((request) => request.body);
  if (!isDeepStrictEqual(bodies(a), bodies(b))) {
    return { failed: 'The second attempt sends another body with the same key; services refuse that.' };
  }
  return { passed: a.length > 0 ? `${a.length} writes, key kept.` : 'The key was read by the tool.' };
}

async function sameOutput(tool: Tool, options: ContractOptions): Promise<Verdict> {
  if (tool.effect === 'non_repeatable') return { skipped: 'A non-repeatable tool need not answer alike.' };
  const first = await call(tool, options);
  const second = await withClockAhead(DAY_MS, () => call(tool, options, { attempt: 2 }));
  if (isDeepStrictEqual(first.output, second.output)) return { passed: 'Two calls answer alike.' };
  return {
    failed:
      'Two calls with the same key, clock and randomness answer differently; use ctx.now(), ctx.random(), ctx.uuid().',
  };
}

/** Retrying is the engine's: it counts attempts, waits without holding a slot, and knows when it must not. */
async function noOwnRetries(tool: Tool, options: ContractOptions): Promise<Verdict> {
  const { outcome, seen } = await attempt(tool, options, {
    respond: (request, signal) =>
      request.writes
        ? new Response('busy', { status: 503, headers: { 'retry-after': '0' } })
        : answerOf(options, request, signal),
  });
  const writes = seen.requests.filter((request) => request.writes);
  if (writes.length === 0) return { skipped: 'It sends no write through ctx.fetch.' };
  const repeated = writes.find((request, index) =>
    writes.slice(0, index).some((before) => isSameWrite(before, request)),
  );
  if (repeated !== undefined)
    return { failed: `After 503 it sends ${repeated.method} ${repeated.url} again by itself.` };
  if (outcome.state === 'done') return { failed: 'It reports success although the service answered 503.' };
  return { passed: 'One write, then a failure for the engine to decide about.' };
}

const isSameWrite = (a: SeenRequest, b: SeenRequest): boolean =>
  a.method === b.method && a.url === b.url && a.body === b.body;

async function lostAnswerIsOpen(tool: Tool, options: ContractOptions): Promise<Verdict> {
  if (tool.effect === 'pure') return { skipped: 'Pure tools leave no doubt.' };
  const { outcome, seen } = await attempt(tool, options, {
    respond: (request, signal) => {
      if (!request.writes) return answerOf(options, request, signal);
      throw Object.assign(new TypeError('fetch failed'), {
        cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
      });
    },
  });
  if (!seen.requests.some((request) => request.writes))
    return { skipped: 'It sends no write through ctx.fetch.' };
  if (outcome.state === 'done')
    return { failed: 'The connection broke after the request was sent, and it reports success.' };
  if (outcome.state === 'hangs') return { failed: 'The connection broke, and it neither fails nor ends.' };
  const failure = toFailure(outcome.error, { effect: tool.effect, mayHaveSent: true });
  if (failure.notApplied) return { failed: 'It claims that nothing happened although the request was sent.' };
  if (failure.class === 'permanent' && tool.effect === 'non_repeatable') {
    return {
      failed: 'It calls the lost answer a permanent failure, which hides that the effect may have happened.',
    };
  }
  return { passed: `Reported as ${failure.class} (${failure.code}).` };
}

async function abortBefore(tool: Tool, options: ContractOptions): Promise<Verdict> {
  const signal = AbortSignal.abort(new AttemptAbort('cancelled', 'cancelled by the test'));
  const { outcome, seen } = await attempt(tool, options, { signal });
  if (outcome.state === 'hangs')
    return { failed: `It does not end within ${patience(options)} ms of an abort.` };
  const write = seen.requests.find((request) => request.writes);
  if (write !== undefined)
    return { failed: `It sends ${write.method} ${write.url} although it was aborted before.` };
  return { passed: outcome.state === 'done' ? 'It ended at once.' : 'It stopped.' };
}

/** The service never answers; the abort comes when the first request is there. */
async function abortDuring(tool: Tool, options: ContractOptions): Promise<Verdict> {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new AttemptAbort('timed_out', 'time is up'));
  let isAsked = false;
  // Tools that send nothing are aborted when they first wait for something.
  setImmediate(() => {
    if (!isAsked) abort();
  });
  const { outcome, seen } = await attempt(tool, options, {
    signal: controller.signal,
    respond: () => {
      isAsked = true;
      setImmediate(abort);
      return new Promise<never>(() => undefined);
    },
  });
  if (outcome.state === 'hangs')
    return { failed: `It goes on ${patience(options)} ms after it was aborted.` };
  if (outcome.state === 'done' && seen.requests.length > 0) {
    return { failed: 'It reports success although its request was aborted.' };
  }
  if (outcome.state === 'done') return { passed: 'It ended before the abort could matter.' };
  const failure = toFailure(outcome.error, { effect: tool.effect, signal: controller.signal });
  if (failure.class === 'timed_out') return { passed: 'It stopped.' };
  return { failed: `It hides the abort behind another error (${failure.code}).` };
}

async function probeAnswers(tool: Tool, options: ContractOptions): Promise<Verdict> {
  if (tool.probe === undefined) return { skipped: 'It has no probe.' };
  const { ctx, seen } = createTestContext({ secrets: options.secrets, respond: options.respond });
  const args = parsedArgs(tool, options);
  const answer = await tool.probe(ctx, args, 'test-key-1');
  const write = seen.requests.find((request) => request.writes);
  if (write !== undefined)
    return { failed: `The probe sends ${write.method} ${write.url}; it may only look.` };
  if (answer.answer === 'applied') {
    const checked = tool.parseOutput(answer.result);
    return checked.ok
      ? { passed: 'applied, with a valid result.' }
      : { failed: 'Its result does not fit the output schema.' };
  }
  const isKnown = answer.answer === 'not_applied' || answer.answer === 'unknown';
  return isKnown ? { passed: answer.answer } : { failed: `It answers ${JSON.stringify(answer)}.` };
}

/** The poll is asked with what the tool returned when its service took the call. */
async function pollAnswers(tool: Tool, options: ContractOptions): Promise<Verdict> {
  if (tool.poll === undefined) return { skipped: 'It has no poll.' };
  const { accepted } = await call(tool, options);
  if (!accepted)
    return {
      skipped:
        'The service did not take the call; let respond answer so that the tool returns ctx.accepted(…).',
    };
  const { ctx, seen } = createTestContext({ secrets: options.secrets, respond: options.respond });
  const taken = { reference: accepted.reference ?? null, key: 'test-key-1', acceptedAt: new Date(ctx.now()) };
  const answer = await tool.poll(ctx, parsedArgs(tool, options), taken);
  const write = seen.requests.find((request) => request.writes);
  if (write !== undefined)
    return { failed: `The poll sends ${write.method} ${write.url}; it may only look.` };
  switch (answer.answer) {
    case 'done':
      return tool.parseOutput(answer.result).ok
        ? { passed: 'done, with a valid result.' }
        : { failed: 'Its result does not fit the output schema.' };
    case 'failed':
      return typeof answer.failure?.message === 'string'
        ? { passed: 'failed, with a message.' }
        : { failed: 'It says that the call failed and gives no failure with a message.' };
    case 'not_yet':
      return answer.retryAfterMs === undefined || answer.retryAfterMs > 0
        ? { passed: 'not_yet.' }
        : {
            failed: `It wishes to be asked again after ${answer.retryAfterMs} ms; name a time above 0, or none.`,
          };
    default:
      return { failed: `It answers ${JSON.stringify(answer)}.` };
  }
}

async function undoProbeAnswers(tool: Tool, options: ContractOptions): Promise<Verdict> {
  if (tool.probeUndo === undefined) return { skipped: 'Its undoing has no probe.' };
  const { ctx, seen } = createTestContext({ secrets: options.secrets, respond: options.respond });
  // Of an effect whose answer nobody knows: the one that an undoing must be ready for, whatever the tool gives.
  const done = { args: parsedArgs(tool, options), result: null, key: 'test-key-1' };
  const { answer } = await tool.probeUndo(ctx, done, 'test-key-2');
  const write = seen.requests.find((request) => request.writes);
  if (write !== undefined)
    return { failed: `The probe of its undoing sends ${write.method} ${write.url}; it may only look.` };
  const isKnown = answer === 'applied' || answer === 'not_applied' || answer === 'unknown';
  return isKnown ? { passed: answer } : { failed: `It answers ${JSON.stringify(answer)}.` };
}

type Outcome =
  | { readonly state: 'done' }
  | { readonly state: 'threw'; readonly error: unknown }
  | { readonly state: 'hangs' };

/** One attempt that may fail or hang, with everything it did. */
async function attempt(
  tool: Tool,
  options: ContractOptions,
  more: TestContextOptions,
): Promise<{ readonly outcome: Outcome; readonly seen: Seen }> {
  const { ctx, seen } = createTestContext({ secrets: options.secrets, respond: options.respond, ...more });
  const global = spyFetch('global', seen, more.respond ?? options.respond, ctx.signal);
  const outcome = await withFetch(global, () => settle(tool, ctx, options));
  return { outcome, seen };
}

async function settle(tool: Tool, ctx: ToolContext, options: ContractOptions): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const work = tool.execute(ctx, parsedArgs(tool, options)).then(
    (): Outcome => ({ state: 'done' }),
    (error: unknown): Outcome => ({ state: 'threw', error }),
  );
  const patienceEnds = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve({ state: 'hangs' }), patience(options));
  });
  try {
    return await Promise.race([work, patienceEnds]);
  } finally {
    clearTimeout(timer);
  }
}

function parsedArgs(tool: Tool, options: ContractOptions): unknown {
  const parsed = tool.parseInput(options.args);
  if (!parsed.ok) throw new Error(`The given args are refused: ${JSON.stringify(parsed.issues)}`);
  return parsed.value;
}

const answerOf = (
  options: ContractOptions,
  request: SeenRequest,
  signal: AbortSignal,
): Response | Promise<Response> => options.respond?.(request, signal) ?? Response.json({});
const patience = (options: ContractOptions): number => options.abortGraceMs ?? 1_000;
const textOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem));
const describe = (seen: Seen): string =>
  `${seen.requests.filter((request) => request.writes).length} writes, ${seen.artifacts.length} artifacts`;
