import { createHash } from 'node:crypto';
import { canonicalJson, type EmitNode, type Intent, type Json, type JsonObject } from '@pawl/dag-core';
import type { EffectHost } from '../runtime/effect-host.ts';
import { effectKey } from '../runtime/effect-key.ts';
import { failureOfComputation } from '../runtime/failure-of.ts';
import type { Done, EffectExecutor, Prepared, Step } from '../runtime/step.ts';
import { signalKey } from './signal-key.ts';

type Failed = Extract<Done, { type: 'failed' }>;

/** K21: sends a signal. Its id is the key of the effect, so that every attempt sends the same signal, once. */
export function emitExecutor(host: EffectHost): EffectExecutor {
  return {
    prepare: (step) => prepare(host, step),
    send: async (step, { intent }) => {
      const { name, key, payload, to } = intent.request as JsonObject & {
        name: string;
        key: string;
        payload: Json;
      };
      try {
        const { id } = await host.sendSignal(step, {
          id: intent.key,
          name,
          key,
          payload,
          ...(to !== undefined && { toRun: to as string }),
        });
        return { type: 'succeeded', output: { signal: id } };
      } catch (error) {
        return failedSending(error);
      }
    },
  };
}

async function prepare(host: EffectHost, step: Step): Promise<Prepared | Failed> {
  const earlier = await host.earlierIntent(step);
  if (earlier) return { intent: earlier };
  let clock: number | undefined;
  const onClock = (nowMs: number) => {
    clock ??= nowMs;
  };
  const { context, handle, scopePath, compiled } = step;
  const fill = async (name: 'payload' | 'to') => {
    const template = compiled[name];
    return template && context.evaluate(handle.path, scopePath, template, { onClock });
  };
  try {
    const { signal } = step.node.config as EmitNode;
    const key = await signalKey(step, onClock);
    const payload = (await fill('payload')) ?? null;
    const to = (await fill('to')) as string | undefined;
    if (to !== undefined && !RUN_ID.test(to)) throw new RunIdInvalidError(handle.path);
    const request = { name: signal.name, key, payload, ...(to !== undefined && { to: to.toLowerCase() }) };
    const intent: Intent = {
      call: 0,
      effect: 'idempotent',
      target: 'emit',
      key: effectKey(context.runId, handle.path, 0),
      request,
      requestHash: createHash('sha256').update(canonicalJson(request)).digest('hex'),
    };
    return { intent, ...(clock !== undefined && { clock }) };
  } catch (error) {
    return { type: 'failed', failure: failureOfComputation(error) };
  }
}

const RUN_ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** What the store refuses; whatever else goes wrong may work later. */
function failedSending(error: unknown): Failed {
  const { code, message } = error as { code?: string; message: string };
  const isFinal = code === 'signal_too_large' || code === 'signal_conflict';
  return {
    type: 'failed',
    failure: { code: code ?? 'signal_not_sent', message, class: isFinal ? 'permanent' : 'transient' },
  };
}

/** Thrown when `to` is no id of a run. */
class RunIdInvalidError extends Error {
  readonly code = 'signal_run_invalid';
  constructor(path: string) {
    super(`Node run ${path} sends its signal to a run; its "to" must give the id of one.`);
  }
}
