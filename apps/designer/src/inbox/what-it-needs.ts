import type { ToolInfo } from '@pawl/api';
import type { InboxDecision, Json, JsonObject, JsonSchema } from '@pawl/dag-core';
import type { InboxQuestion } from './question.ts';

/** What a person gives with a decision, besides deciding. */
export type Need =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'reason' }
  /** `isOptional`: only when the person wants to change something. */
  | {
      readonly kind: 'values' | 'output';
      readonly schema?: JsonSchema | undefined;
      readonly initial?: Json | undefined;
      readonly isOptional: boolean;
    };

/** What is given with a decision; `tool` is the one that was called, where it is known. */
export function whatItNeeds(
  decision: InboxDecision,
  { form, values, effect, nodeKind }: InboxQuestion,
  tool?: ToolInfo,
): Need {
  switch (decision) {
    case 'approved':
      return form === undefined && values === undefined
        ? { kind: 'nothing' }
        : { kind: 'values', schema: form, initial: values, isOptional: false };
    case 'rejected':
    case 'fail':
      return { kind: 'reason' };
    case 'happened':
      return { kind: 'output', schema: tool?.output, isOptional: false };
    case 'compensate':
      return { kind: 'output', schema: tool?.output, isOptional: true };
    case 'retry':
      if (!effect) return { kind: 'nothing' };
      return effect.effect === 'model'
        ? { kind: 'values', initial: messagesOf(effect.request), isOptional: true }
        : nodeKind === 'undo'
          ? { kind: 'nothing' }
          : { kind: 'values', schema: tool?.input, initial: effect.request, isOptional: true };
    case 'did_not_happen':
    case 'adopt':
    case 'skip':
      return { kind: 'nothing' };
  }
}

/** Of what a model was asked only the messages can be changed. */
const messagesOf = (request: Json): Json => ({ messages: (request as JsonObject | null)?.messages ?? [] });

/** What was given, as far as a decision takes it. */
export interface Given {
  /** Absent: as it was shown. */
  readonly value?: Json | undefined;
  readonly reason?: string;
}

/** The answer as it is sent. */
export function answerOf(decision: InboxDecision, { value, reason }: Given): InboxAnswer {
  const why = reason?.trim() ? { reason: reason.trim() } : {};
  const values = value === undefined ? {} : { values: value };
  switch (decision) {
    case 'approved':
    case 'retry':
      return { decision, ...values };
    case 'rejected':
    case 'fail':
      return { decision, ...why };
    case 'happened':
      return { decision, output: value ?? null };
    case 'compensate':
      return value === undefined ? { decision } : { decision, output: value };
    case 'did_not_happen':
    case 'adopt':
    case 'skip':
      return { decision };
  }
}

type InboxAnswer =
  | { decision: 'approved' | 'retry'; values?: Json }
  | { decision: 'rejected' | 'fail'; reason?: string }
  | { decision: 'happened'; output: Json }
  | { decision: 'compensate'; output?: Json }
  | { decision: 'did_not_happen' | 'adopt' | 'skip' };
