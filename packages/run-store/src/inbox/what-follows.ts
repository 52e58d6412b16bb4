import type { Fact, InboxDecision, Json } from '@pawl/dag-core';
import { offloadValue } from '../artifacts/large-values.ts';
import { StoreError } from '../errors.ts';
import type { HotStore } from '../hot-store.ts';
import type { InboxQuestion } from './inbox-shapes.ts';
import type { FoundQuestion } from './read-inbox.ts';

/** What a person decides about a question. */
export type InboxAnswer =
  | { readonly decision: 'approved'; readonly values?: Json }
  | { readonly decision: 'rejected'; readonly values?: Json; readonly reason?: string }
  | { readonly decision: 'happened'; readonly output: Json }
  | { readonly decision: 'did_not_happen' | 'adopt' | 'skip' }
  /** `values`: the arguments to try it with; absent: those it had (T19). */
  | { readonly decision: 'retry'; readonly values?: Json }
  /** `output`: what the effect answered, as far as it is known; the undoing gets it. */
  | { readonly decision: 'compensate'; readonly output?: Json }
  | { readonly decision: 'fail'; readonly reason?: string };

/** What is decided about a doubt must be possible as things stand. @throws {StoreError} `effect_may_be_sent`, `decision_not_offered` */
export function demandPossible(
  { question, path, decisions, doubt }: InboxQuestion,
  decision: InboxDecision,
): void {
  if (decisions.includes(decision)) return;
  const needsProof = decision === 'did_not_happen' || decision === 'compensate';
  if (doubt?.mayStillSend && needsProof)
    throw new StoreError('effect_may_be_sent', { path, decision, ...doubt.mayStillSend });
  throw new StoreError('decision_not_offered', { question, decision, offered: decisions });
}

/** What is too long for the journal is put aside. @throws {StoreError} `value_too_large` */
export async function putAside(hot: HotStore, runId: string, fact: Fact): Promise<Fact> {
  if ((fact.type !== 'settle' && fact.type !== 'callback') || !('output' in fact)) return fact;
  const outputRef = await offloadValue(hot.pool, runId, JSON.stringify(fact.output));
  return outputRef ? { ...fact, output: null, outputRef } : fact;
}

/** What an answer tells the run. */
export function factOf({ path, asked, late, lateSeq }: FoundQuestion, answer: InboxAnswer, by: string): Fact {
  const named = { path, question: asked.seq, by };
  switch (answer.decision) {
    case 'approved':
    case 'rejected':
      return { ...named, type: 'answer', ...answer };
    case 'retry':
      return { ...named, type: 'retryNode', ...(answer.values !== undefined && { values: answer.values }) };
    case 'adopt': {
      const { output = null, failure } = late!;
      const adopted = { ...named, type: 'settle', verdict: 'adopt', late: lateSeq! } as const;
      return failure ? { ...adopted, failure } : { ...adopted, output };
    }
    case 'compensate':
      return { ...named, type: 'settle', verdict: 'compensate', output: answer.output ?? null };
    default: {
      const { decision: verdict, ...rest } = answer;
      return { ...named, type: 'settle', verdict, ...rest } as Fact;
    }
  }
}
