import {
  type DeadlineRule,
  type EffectClass,
  type Failure,
  type InboxDecision,
  instantText,
  type Json,
  type JsonSchema,
  type ProbeWord,
  type RecordedEvent,
} from '@pawl/dag-core';
import type { MayStillSend } from '../live/may-still-send.ts';
import type { OpenQuestion } from './find-questions.ts';
import { questionId } from './question-id.ts';

/** What waits for a person. Instants as ISO 8601 in UTC. */
export interface InboxItem {
  /** Names the question; single use. */
  readonly question: string;
  /** `approval` a node run asked · `uncertain` an effect may have happened · `failure` a failure waits for a decision. */
  readonly kind: 'approval' | 'uncertain' | 'failure';
  readonly runId: string;
  readonly flow: string;
  readonly path: string;
  readonly nodeId: string;
  readonly nodeKind: string;
  readonly attempt: number;
  readonly since: string;
  /** When the deadline decides. */
  readonly until?: string;
  /** One line. */
  readonly subject: string;
  /** What may be decided. */
  readonly decisions: readonly InboxDecision[];
  /** Of an approval: who asks, what is shown, and what follows when nobody answers. */
  readonly asks?: 'approval' | 'tool' | 'question';
  readonly details?: string;
  readonly form?: JsonSchema;
  readonly values?: Json;
  readonly who?: readonly string[];
  readonly onDeadline?: DeadlineRule;
  /** SHA-256 (hex) of what is shown. */
  readonly shown?: string;
  /** Of a failure: what failed. */
  readonly failure?: Failure;
  /** Of an uncertain effect: why nobody knows. `effect`, also of a failed one: what was to be sent. */
  readonly doubt?: {
    readonly reason: string;
    readonly at: string;
    readonly attempt: number;
    readonly workerId?: string;
    /** The attempt may still send the effect: it cannot be said not to have happened, nor be undone. */
    readonly mayStillSend?: MayStillSend;
  };
  readonly effect?: {
    readonly target: string;
    readonly effect: EffectClass | 'model';
    readonly key: string;
    /** Secrets are references. Absent in lists without values. */
    readonly request?: Json;
    readonly requestHash: string;
    readonly at: string;
    readonly attempt: number;
  };
  /** Of an uncertain effect: what its tool said when it was asked. */
  readonly probe?: {
    readonly at: string;
    readonly answer: ProbeWord;
    /** Why it could not say. */
    readonly failure?: Failure;
  };
  /** Of an uncertain effect: the newest answer that came too late. */
  readonly late?: {
    readonly at: string;
    readonly attempt: number;
    readonly output?: Json;
    readonly failure?: Failure;
    /** It does not tell whether the effect happened, so it cannot be adopted. */
    readonly ambiguous?: true;
  };
}

/** A question in any state, with its answer once it has one. */
export interface InboxQuestion extends InboxItem {
  readonly effect?: NonNullable<InboxItem['effect']> & { readonly request: Json };
  /** `closed`: nobody answered; the deadline, a cancel or the end of the run did. */
  readonly state: 'open' | 'answered' | 'closed';
  readonly answer?: GivenAnswer;
}

/** The one answer to a question. */
export interface GivenAnswer {
  readonly decision: InboxDecision;
  readonly by: string;
  readonly at: string;
  readonly values?: Json;
  readonly reason?: string;
}

/** The node run that asks, and what the journal says about the question. */
export interface QuestionParts {
  readonly of: OpenQuestion;
  /** The event that asked. */
  readonly asked: RecordedEvent;
  /** The newest intent. */
  readonly intent?: RecordedEvent | undefined;
  /** The newest answer that came too late. */
  readonly late?: RecordedEvent | undefined;
  /** What the tool said about the doubt. */
  readonly probe?: RecordedEvent | undefined;
  readonly mayStillSend?: MayStillSend | undefined;
}

const ABOUT_APPROVALS: readonly InboxDecision[] = ['approved', 'rejected'];
const ABOUT_FAILURES: readonly InboxDecision[] = ['retry', 'happened', 'skip', 'fail'];

/** What an event asked a person; undefined for an event that asks nobody. */
export function kindOfQuestion({ type, data }: RecordedEvent): InboxItem['kind'] | undefined {
  if (type === 'inbox.asked') return 'approval';
  if (type === 'attempt.lost') return data.next === 'uncertain' ? 'uncertain' : undefined;
  if (type === 'nodeRun.waiting') return data.status === 'uncertain' ? 'uncertain' : undefined;
  return type === 'outcome.failed' && data.next === 'pause' ? 'failure' : undefined;
}

/** A question as people see it. */
export function inboxItem({
  of,
  asked,
  intent,
  late,
  probe,
  mayStillSend,
}: QuestionParts): InboxItem & Pick<InboxQuestion, 'effect'> {
  const about = {
    question: questionId(of.runId, asked.seq),
    runId: of.runId,
    flow: of.flow,
    path: of.path,
    nodeId: of.nodeId,
    nodeKind: of.nodeKind,
    attempt: asked.attempt,
    since: instantText(asked.at),
  };
  switch (asked.type) {
    case 'inbox.asked': {
      const { kind: asks, wakeAt, v: _v, clock: _clock, deadlineValues: _, ...shown } = asked.data;
      const until = wakeAt !== undefined && { until: instantText(wakeAt) };
      return { ...about, kind: 'approval', ...until, decisions: ABOUT_APPROVALS, asks, ...shown };
    }
    case 'outcome.failed': {
      const { failure } = asked.data;
      const effect = effectOf(intent);
      return {
        ...about,
        kind: 'failure',
        subject: failure.message,
        decisions: ABOUT_FAILURES,
        failure,
        ...(effect && { effect }),
      };
    }
    default: {
      const effect = effectOf(intent);
      const answer = lateAnswer(late);
      const { reason } = asked.data as { reason: string };
      const workerId = (asked.data as { workerId?: string }).workerId;
      return {
        ...about,
        kind: 'uncertain',
        subject: `${effect?.target ?? of.nodeKind} may have happened: ${of.path}`,
        decisions: aboutDoubt({ of, asked, intent, late, mayStillSend }),
        doubt: {
          reason,
          at: about.since,
          attempt: asked.attempt,
          ...(workerId !== undefined && { workerId }),
          ...(mayStillSend && { mayStillSend }),
        },
        ...(effect && { effect }),
        ...(answer && { late: answer }),
        ...(probe?.type === 'probe.answered' && { probe: probeAnswer(probe) }),
      };
    }
  }
}

/** What may be decided about an effect that may have happened, as things stand. */
function aboutDoubt({ of, intent, late, mayStillSend }: QuestionParts): readonly InboxDecision[] {
  const canBeUndone = intent?.type === 'intent.recorded' && intent.data.compensates && of.nodeKind !== 'undo';
  const isTelling = late?.type === 'outcome.late' && !late.data.ambiguous;
  return [
    'happened',
    ...(mayStillSend ? [] : (['did_not_happen'] as const)),
    ...(isTelling ? (['adopt'] as const) : []),
    ...(canBeUndone && !mayStillSend ? (['compensate'] as const) : []),
    'skip',
    'fail',
  ];
}

function lateAnswer(late: RecordedEvent | undefined): InboxItem['late'] {
  if (late?.type !== 'outcome.late') return undefined;
  const { output, failure, ambiguous } = late.data;
  return {
    at: instantText(late.at),
    attempt: late.attempt,
    ...(output !== undefined && { output }),
    ...(failure && { failure }),
    ...(ambiguous && { ambiguous }),
  };
}

function probeAnswer({ at, data }: Extract<RecordedEvent, { type: 'probe.answered' }>): InboxItem['probe'] {
  const { says: answer, failure } = data;
  return { at: instantText(at), answer, ...(failure && { failure }) };
}

function effectOf(intent: RecordedEvent | undefined): InboxQuestion['effect'] {
  if (intent?.type !== 'intent.recorded') return undefined;
  const { target, effect, key, request, requestHash } = intent.data;
  return { target, effect, key, request, requestHash, at: instantText(intent.at), attempt: intent.attempt };
}

/** The answer that an event gave. */
export function givenAnswer({ at, data }: Extract<RecordedEvent, { type: 'inbox.answered' }>): GivenAnswer {
  const { decision, by, values, reason } = data;
  return {
    decision,
    by,
    at: instantText(at),
    ...(values !== undefined && { values }),
    ...(reason !== undefined && { reason }),
  };
}
