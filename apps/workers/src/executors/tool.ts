import { createHash } from 'node:crypto';
import { canonicalJson, type EffectClass, type Failure, type Intent, type Json } from '@pawl/dag-core';
import type { WatchedCall } from '@pawl/telemetry';
import {
  type Accepted,
  isAccepted,
  leavesDoubt,
  scrubJson,
  scrubSecrets,
  type Tool,
  type ToolContext,
  ToolInputError,
  toFailure,
} from '@pawl/tool-sdk';
import type { EffectHost } from '../runtime/effect-host.ts';
import { effectKey } from '../runtime/effect-key.ts';
import { failureOfComputation } from '../runtime/failure-of.ts';
import { secretNames, withSecrets } from '../runtime/secret-references.ts';
import type { Done, EffectExecutor, Lacks, Prepared, PureExecutor, SendHost, Step } from '../runtime/step.ts';
import { cacheKey } from '../runtime/tool-cache.ts';
import { callArguments } from './agent-arguments.ts';
import { permissionWanted } from './agent-permission.ts';
import { toolAtHand, toolNeed } from './at-hand.ts';
import { flowArguments } from './edited-arguments.ts';
import { CallContext } from './tool-context.ts';

type Failed = Extract<Done, { type: 'failed' }>;

/** How long after a service took a call its tool is asked first, when it does not say. */
const POLL_EVERY_MS = 10_000;

/** K: one registered tool. Pure ones are computed; the others go through an intent. */
export function toolExecutors(host: EffectHost): { pure: PureExecutor; effect: EffectExecutor } {
  return {
    pure: async (step) => {
      const found = await findArgs(host, step);
      if ('type' in found) return found;
      const { tool, args, clock } = found;
      if (tool.effect !== 'pure') return chosenAnew(tool);
      const call = () =>
        execute(host, step, tool, { key: keyOf(step), request: args }, neverCommits(host, step));
      const done =
        tool.cacheTtlMs === undefined ? await call() : await throughCache(host, step, tool, args, call);
      return done.type === 'succeeded' && clock !== undefined ? { ...done, clock } : done;
    },
    effect: {
      prepare: (step) => prepare(host, step),
      send: async (step, prepared, sendHost) => {
        const { effect, target, key, request } = prepared.intent;
        const tool = host.tools.get(target);
        if (!tool) return goneMeanwhile(target);
        // Its class may have changed since the intent was recorded, and that is the class by which doubt is judged (V5).
        const asRecorded = tool.effect === effect ? tool : { ...tool, effect: effect as EffectClass };
        return execute(host, step, asRecorded, { ...prepared, key, request }, sendHost);
      },
    },
  };
}

/** K16: what was kept for the same arguments, while it is fresh; else the call, whose result is kept. */
async function throughCache(
  host: EffectHost,
  step: Step,
  tool: Tool,
  args: Json,
  call: () => Promise<Done>,
): Promise<Done> {
  const key = cacheKey(step.context.workspaceId, tool, args);
  const found = await host.cache.find(key);
  // What refers to an artifact that went with its run is worth nothing any more.
  const kept = found && (await host.holdsArtifacts(step, found.output)) ? found : undefined;
  if (kept?.isFresh) return { type: 'succeeded', output: kept.output, cached: { at: kept.keptAt } };
  const done = await call();
  if (done.type === 'succeeded') host.cache.keep(key, done.output, tool.cacheTtlMs!);
  return done.type === 'failed' && kept ? { ...done, stale: { output: kept.output, at: kept.keptAt } } : done;
}

/** The tool a node names; or what this worker lacks. */
export function toolOf(host: EffectHost, step: Step): Tool | Lacks {
  const { config } = step.node;
  return toolAtHand(host, config.kind === 'tool' ? config.tool : '');
}

/**
 * The class of a tool became another while its arguments were found, and with it what must be committed before the call (V1). The
 * node run is given back, to be taken up as what it is now.
 */
const chosenAnew = ({ ref }: Tool): Lacks => ({ type: 'lacks', needs: toolNeed(ref) });

/** The tool went with its server between the intent and the call. Nothing was sent. */
const goneMeanwhile = (ref: string): Failed => ({
  type: 'failed',
  failure: {
    code: 'tool_gone',
    message: `Tool ${ref} was not called: this worker does not have it any more.`,
    class: 'transient',
  },
  isAmbiguous: false,
});

interface Args {
  readonly tool: Tool;
  /** As they are recorded: secrets are references. */
  readonly args: Json;
  /** As the tool takes them; secrets are placeholders. */
  readonly parsed: unknown;
  readonly clock?: number;
}

type NotYet = Extract<Done, { type: 'failed' | 'asks' }> | Lacks;

/** The arguments of a call; or what is wrong with them; or the question that must be answered first. */
async function findArgs(host: EffectHost, step: Step): Promise<Args | NotYet> {
  const tool = toolOf(host, step);
  if (!('ref' in tool)) return tool;
  let clock: number | undefined;
  try {
    const fill = async () =>
      step.context.evaluate(step.handle.path, step.scopePath, step.compiled.args!, {
        ...(!step.agent && { schema: tool.inputSchema as Json }),
        allowSecrets: true,
        onClock: (nowMs) => {
          clock ??= nowMs;
        },
      });
    const called = step.agent
      ? await callArguments(host, step, await fill())
      : await flowArguments(host, step, fill);
    if ('failure' in called) return { type: 'failed', ...called, tells: true };
    const { args } = called;
    const parsed = tool.parseInput(withSecrets(args, (name) => `(secret ${name})`));
    if (!parsed.ok) {
      const failure = inputFailure(tool, parsed.issues);
      return { type: 'failed', failure, ...(step.agent && { tells: true as const }) };
    }
    const wanted = called.written && (await permissionWanted(step, tool, called));
    return wanted ?? { tool, args, parsed: parsed.value, ...(clock !== undefined && { clock }) };
  } catch (error) {
    return { type: 'failed', failure: failureOfComputation(error) };
  }
}

const keyOf = ({ context: { runId }, handle: { path, more } }: Step): string =>
  effectKey(runId, path, 0, more?.edited);

function inputFailure(tool: Tool, issues: readonly { pointer: string; message: string }[]): Failure {
  const listed = issues
    .slice(0, 5)
    .map(({ pointer, message }) => `${pointer || '(the whole)'}: ${message}`)
    .join('; ');
  return {
    code: 'tool_input_invalid',
    message: `The arguments do not fit tool ${tool.ref}: ${listed}.`,
    class: 'permanent',
    detail: issues.slice(0, 20) as unknown as Json,
  };
}

async function prepare(host: EffectHost, step: Step): Promise<Prepared | NotYet> {
  const earlier = await host.earlierIntent(step);
  if (earlier) return { intent: earlier };
  const found = await findArgs(host, step);
  if ('type' in found) return found;
  const { tool, args, parsed, clock } = found;
  if (tool.effect === 'pure') return chosenAnew(tool);
  const intent: Intent = {
    call: 0,
    effect: tool.effect,
    target: tool.ref,
    key: keyOf(step),
    request: args,
    requestHash: createHash('sha256').update(canonicalJson(args)).digest('hex'),
    ...(tool.compensate && { compensates: true as const }),
    ...(tool.probe && tool.effect === 'non_repeatable' && { probes: true as const }),
    ...declared(tool, parsed),
  };
  const isPlain = secretNames(args).length === 0;
  return { intent, ...(clock !== undefined && { clock }), ...(isPlain && { args: parsed }) };
}

/** What replay needs to know of the tool as it was declared when the effect was recorded. */
function declared(tool: Tool, parsed: unknown): Pick<Intent, 'resources' | 'match'> {
  const resources = tool.resources(parsed);
  return {
    ...(resources && { resources: resources as Json }),
    ...(tool.match && { match: tool.match as unknown as Json }),
  };
}

function execute(
  host: EffectHost,
  step: Step,
  tool: Tool,
  { key, request, args }: { readonly key: string; readonly request: Json; readonly args?: unknown },
  send: SendHost,
): Promise<Done> {
  return callTool(host, step, tool, key, send, {
    perform: async (context, secret) => {
      const input =
        args === undefined ? await readArgs(tool, request, secret) : { ok: true as const, value: args };
      if (!input.ok) throw new ToolInputError(inputFailure(tool, input.issues));
      return tool.execute(context, input.value);
    },
    outcome: (result, secrets) => outputOf(tool, result, secrets),
  });
}

/** What one call of a tool does, and what its result means. */
export interface ToolCall {
  perform(context: ToolContext, secret: (name: string) => Promise<string>): Promise<unknown>;
  outcome(result: unknown, secrets: readonly string[]): Done;
}

/** Makes one call of a tool: context, time limit, abort, and what an error proves about the effect. */
export async function callTool(
  host: EffectHost,
  step: Step,
  tool: Tool,
  key: string,
  send: SendHost,
  { perform, outcome }: ToolCall,
): Promise<Done> {
  const { runId, workspaceId } = step.context;
  const timeoutMs = step.node.config.timeoutMs ?? tool.timeoutMs ?? host.toolTimeoutMs;
  const secrets = new Map<string, string>();
  const secret = async (name: string) => {
    const value = await host.secret(workspaceId, name);
    secrets.set(name, value);
    return value;
  };
  /** An address that is a proof is as good as a secret: services like to repeat it in what they answer. */
  const callbackUrl = async () => {
    const url = await host.callbackUrl(step);
    secrets.set('callback address', url);
    return url;
  };
  const scrub = (text: string) => scrubSecrets(text, [...secrets.values()]);
  let clock: number | undefined;
  const now = () => {
    clock ??= Date.now();
    return clock;
  };
  let isGivenUp = false;
  let context: CallContext | undefined;
  let watched: WatchedCall | undefined;
  const failureOf = (error: unknown): Failed => {
    const failure = toFailure(error, {
      effect: tool.effect,
      signal: context?.signal,
      secrets: [...secrets.values()],
      mayHaveSent: context?.mayHaveSent() ?? false,
    });
    const { notApplied: _, ...plain } = failure;
    const retry = tool.retry && { retry: tool.retry };
    return {
      type: 'failed',
      failure: plain,
      isAmbiguous: tool.effect !== 'pure' && leavesDoubt(failure),
      ...(isGivenUp && { stillRuns: true as const }),
      ...retry,
    };
  };
  const succeeded = (result: unknown): Done => {
    const done = outcome(result, [...secrets.values()]);
    return done.type === 'succeeded' && clock !== undefined ? { ...done, clock } : done;
  };
  try {
    const watching = host.watch(step, { call: 0, effect: tool.effect, target: tool.ref, key });
    watched = watching && (await watching);
    const result = await host.attempts.call(
      {
        runId,
        timeoutMs,
        // What asks is not what is cancelled: the call it asks about has its grace time.
        ...(isAsking(step) && { outlivesCancel: true }),
        onGivenUp: () => {
          isGivenUp = true;
        },
      },
      (signal) => {
        const parts = { host, step, send, key, signal, timeoutMs, secret, callbackUrl, now, watched, scrub };
        const own = new CallContext(parts);
        context = own;
        return watched ? watched.run(() => perform(own, secret)) : perform(own, secret);
      },
      (late) => {
        isGivenUp = false;
        host.late(step, 'value' in late ? succeeded(late.value) : failureOf(late.error));
      },
    );
    const done = succeeded(result);
    watched?.ended(done.type === 'failed' ? { error: done.failure.code } : {});
    return done;
  } catch (error) {
    const failed = failureOf(error);
    watched?.ended({ error: failed.failure.code });
    return failed;
  }
}

const isAsking = ({ handle: { kind } }: Step): boolean => kind === 'probe' || kind === 'poll';

/** Recorded arguments as the tool takes them, the secrets in their places. */
export async function readArgs(tool: Tool, request: Json, secret: (name: string) => Promise<string>) {
  const values = new Map<string, string>();
  for (const name of secretNames(request)) values.set(name, await secret(name));
  return tool.parseInput(values.size > 0 ? withSecrets(request, (name) => values.get(name)!) : request);
}

function outputOf(tool: Tool, result: unknown, secrets: readonly string[]): Done {
  if (isAccepted(result)) return acceptedBy(tool, result, secrets);
  const parsed = tool.parseOutput(result);
  if (parsed.ok)
    // V13: a tool that hands back a secret hands back a marker.
    return { type: 'succeeded', output: scrubJson(parsed.value, secrets) };
  const listed = parsed.issues
    .slice(0, 5)
    .map(({ pointer, message }) => `${pointer || '(the whole)'}: ${message}`)
    .join('; ');
  // The effect happened; only what it returned is wrong. It is not sent again.
  return {
    type: 'failed',
    failure: {
      code: 'tool_output_invalid',
      message: `Tool ${tool.ref} returned something unexpected: ${listed}.`,
      class: 'permanent',
    },
    hasHappened: true,
  };
}

/** T22: the service took the call. What is not an effect cannot be waited for: nothing of it was recorded. */
function acceptedBy(tool: Tool, accepted: Accepted, secrets: readonly string[]): Done {
  const { deadlineMs, data, pollEveryMs: everyMs = POLL_EVERY_MS, reference } = accepted;
  const kept = (member: string, value: Json | undefined) =>
    value === undefined ? {} : { [member]: scrubJson(value, secrets) };
  if (tool.effect !== 'pure')
    return {
      type: 'accepted',
      deadlineMs,
      ...kept('data', data),
      ...(tool.poll && { poll: { everyMs, ...kept('reference', reference) } }),
    };
  return {
    type: 'failed',
    failure: {
      code: 'accepted_by_pure',
      message: `Tool ${tool.ref} is pure and answered that its call was accepted. Declare it idempotent or non_repeatable.`,
      class: 'permanent',
    },
  };
}

/** Pure tools have nothing to commit while they run. */
export const neverCommits = (host: EffectHost, step: Step): SendHost => ({
  commit: async () => true,
  note: (fact) => host.noteLater(step, fact),
  delta: () => {},
});
