import { type Failure, type Json, type JsonObject, readArguments } from '@pawl/dag-core';
import { PermanentError } from '@pawl/tool-sdk';
import type { EffectHost } from '../runtime/effect-host.ts';
import { secretNames } from '../runtime/secret-references.ts';
import type { Step } from '../runtime/step.ts';
import { permissionOf } from './agent-permission.ts';
import { modelPathOf } from './agent-turns.ts';

/** What is wrong with a call, as the model is told. */
interface NoCall {
  readonly failure: Failure;
}

/** What a call of an agent's tool is made with. */
interface CallArguments {
  /** What the model wrote, or what a person made of it. */
  readonly written: JsonObject;
  /** The whole: what the flow gives goes over what was written. */
  readonly args: Json;
}

/** @param given what the flow gives, with references where secrets stand */
export async function callArguments(
  host: EffectHost,
  step: Step,
  given: Json,
): Promise<CallArguments | NoCall> {
  const allowed =
    (await permissionOf(host, step)) ?? (await editedWritten(host, step)) ?? (await writtenArguments(step));
  if ('failure' in allowed) return allowed;
  // Whoever wrote them, a model or a person: only the flow may name secrets (V13).
  if (secretNames(allowed.written).length > 0) return { failure: FORGED };
  const open = Object.entries(allowed.written).filter(([name]) => !Object.hasOwn(given as JsonObject, name));
  const written = Object.fromEntries(open);
  return { written, args: { ...written, ...(given as JsonObject) } };
}

/** What a person wrote in the place of the model. */
async function editedWritten(
  host: EffectHost,
  step: Step,
): Promise<{ readonly written: JsonObject } | undefined> {
  const edited = await host.editedArguments(step);
  return edited === undefined ? undefined : { written: edited as JsonObject };
}

/** What the model wrote as the arguments of this call. */
export async function writtenArguments(step: Step): Promise<{ readonly written: JsonObject } | NoCall> {
  const { node, path, turn, call } = step.agent!;
  const { asked } = await step.context.view(modelPathOf(node, path, turn));
  const wanted = asked?.answer.toolCalls?.[call!];
  if (!wanted) {
    const message = `The journal holds no call ${call} of ${path}.`;
    throw new PermanentError({ code: 'call_not_found', message });
  }
  const read = readArguments(wanted.arguments, step.context.graph.document.bigIntegers);
  return 'failure' in read ? read : { written: read.args };
}

export const FORGED: Failure = {
  code: 'secret_not_allowed',
  message: 'Arguments may not refer to secrets.',
  class: 'permanent',
};
