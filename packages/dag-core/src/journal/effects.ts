import type { EffectClass } from '../state/status.ts';
import type { Failure, JournalEventType, ModelAnswer, RecordedEvent } from './events.ts';

// Rules kept here: J9: what became of each effect that was sent, read from the journal and from nothing else.

/** What became of an effect (J9). */
export const EFFECT_STATUSES = [
  'sent',
  'succeeded',
  'failed',
  'uncertain',
  'lost',
  'late',
  'settled',
  'cancelled',
] as const;
export type EffectStatus = (typeof EFFECT_STATUSES)[number];

/** One sending of an effect: an intent, and what the journal says became of it. Instants in epoch milliseconds. */
export interface EffectRecord {
  /** Place of the intent. */
  readonly seq: number;
  readonly path: string;
  readonly attempt: number;
  readonly at: number;
  /** Counts the calls of a node run from 0. */
  readonly call: number;
  readonly effect: EffectClass | 'model';
  readonly target: string;
  readonly key: string;
  readonly requestHash: string;
  /** The worker that sent it; absent in old journals. */
  readonly workerId?: string;
  readonly status: EffectStatus;
  readonly endedAt?: number;
  /** Place of the event that holds what it gave. */
  readonly outcomeSeq?: number;
  readonly failure?: Failure;
  /** What the service calls it. */
  readonly effectId?: string;
  readonly costNanoUsd?: number;
  readonly tokens?: number;
  /** An answer came after the attempt was given up; its event is kept as evidence. */
  readonly lateAt?: number;
  readonly lateSeq?: number;
  /** It was cancelled, and may have happened. */
  readonly isDoubt?: true;
  readonly settledBy?: string;
  readonly settledAs?: Settled;
}
export type Settled = 'happened' | 'did_not_happen' | 'adopt' | 'compensate' | 'skip' | 'fail';

/** The events that an effect is read from; others of its node run say nothing about it. */
export const EFFECT_EVENTS = [
  'intent.recorded',
  'call.answered',
  'outcome.succeeded',
  'outcome.failed',
  'outcome.late',
  'attempt.lost',
  'nodeRun.waiting',
  'nodeRun.resumed',
  'nodeRun.skipped',
  'nodeRun.cancelled',
  'inbox.answered',
] as const satisfies readonly JournalEventType[];

type Mutable = { -readonly [K in keyof EffectRecord]: EffectRecord[K] };

/**
 * The effects that events of a run tell of, in the order they were sent. Events of other runs must not be among them; those of
 * a node run may begin anywhere, what came before is then not told of.
 */
export function foldEffects(events: Iterable<RecordedEvent>): EffectRecord[] {
  const all: Mutable[] = [];
  const byPath = new Map<string, Mutable[]>();
  for (const event of events) {
    if (event.type === 'intent.recorded') {
      const record = sent(event);
      all.push(record);
      const own = byPath.get(record.path);
      if (own) own.push(record);
      else byPath.set(record.path, [record]);
      continue;
    }
    const own = byPath.get(event.path);
    const last = own?.at(-1);
    if (own && last) tell(event, own, last);
  }
  return all;
}

function sent({
  seq,
  path,
  attempt,
  at,
  data,
}: Extract<RecordedEvent, { type: 'intent.recorded' }>): Mutable {
  const { call, effect, target, key, requestHash, workerId } = data;
  return {
    seq,
    path,
    attempt,
    at,
    call,
    effect,
    target,
    key,
    requestHash,
    ...(workerId !== undefined && { workerId }),
    status: 'sent',
  };
}

/** @param own effects of the event's node run @param last the newest of them, which people decide about */
function tell(event: RecordedEvent, own: readonly Mutable[], last: Mutable): void {
  switch (event.type) {
    case 'call.answered': {
      const { call, answer, problem } = event.data;
      const record = own.findLast((each) => each.attempt === event.attempt && each.call === call);
      if (record) end(record, event, 'failed', { failure: problem, ...spent(answer) });
      return;
    }
    case 'outcome.succeeded': {
      const { answer, effectId, settledBy } = event.data;
      const given = { outcomeSeq: event.seq, ...(effectId !== undefined && { effectId }), ...spent(answer) };
      if (settledBy !== undefined) settle(last, event, 'happened', settledBy, given);
      else endOf(own, event, 'succeeded', given);
      return;
    }
    case 'outcome.failed': {
      const { failure, answer, settledBy, lostSpend } = event.data;
      const isLost = lostSpend === true || failure.class === 'lost';
      if (settledBy !== undefined) settle(last, event, 'fail', settledBy, {});
      else endOf(own, event, isLost ? 'lost' : 'failed', { failure, ...spent(answer) });
      return;
    }
    case 'attempt.lost':
      endOf(own, event, event.data.next === 'uncertain' ? 'uncertain' : 'lost', {});
      return;
    case 'nodeRun.waiting':
      if (event.data.status === 'uncertain') endOf(own, event, 'uncertain', {});
      return;
    case 'nodeRun.resumed':
      if (event.data.reason === 'settled') settle(last, event, 'did_not_happen', event.data.by, {});
      return;
    case 'nodeRun.skipped':
      if (event.data.settledBy !== undefined) settle(last, event, 'skip', event.data.settledBy, {});
      return;
    case 'inbox.answered': {
      const { decision, by } = event.data;
      if (isVerdict(decision)) settle(last, event, decision, by, {});
      return;
    }
    case 'nodeRun.cancelled':
      if (last.status === 'sent' || last.status === 'uncertain')
        end(last, event, 'cancelled', event.data.doubt ? { isDoubt: true } : {});
      return;
    case 'outcome.late': {
      const record = own.findLast((each) => each.attempt === event.attempt);
      if (!record) return;
      Object.assign(record, { lateAt: event.at, lateSeq: event.seq, ...spent(event.data.answer) });
      if (record.status === 'lost') record.status = 'late';
    }
  }
}

type More = Partial<Omit<Mutable, 'seq' | 'path' | 'attempt' | 'status'>>;

/** Ends the effect of the event's attempt that has not ended; an attempt that failed before it sent anything has none. */
function endOf(own: readonly Mutable[], event: RecordedEvent, status: EffectStatus, more: More): void {
  const record = own.findLast((each) => each.attempt === event.attempt);
  if (record?.status === 'sent') end(record, event, status, more);
}

function end(record: Mutable, { at }: RecordedEvent, status: EffectStatus, more: More): void {
  Object.assign(record, { status, endedAt: at, ...more });
}

/** The first word counts; what follows from it adds the place of the outcome. */
function settle(
  record: Mutable,
  event: RecordedEvent,
  as: Settled,
  by: string | undefined,
  more: More,
): void {
  if (record.status === 'settled') Object.assign(record, more);
  else end(record, event, 'settled', { settledAs: as, ...(by !== undefined && { settledBy: by }), ...more });
}

const VERDICTS: readonly string[] = [
  'happened',
  'did_not_happen',
  'adopt',
  'compensate',
  'skip',
  'fail',
] satisfies Settled[];

const isVerdict = (word: string): word is Settled => VERDICTS.includes(word);

function spent(answer: ModelAnswer | undefined): Pick<EffectRecord, 'costNanoUsd' | 'tokens'> {
  if (!answer) return {};
  return { costNanoUsd: answer.costNanoUsd, tokens: answer.usage.input + answer.usage.output };
}
