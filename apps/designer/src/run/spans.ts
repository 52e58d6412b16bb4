import type { NodeRunHistory, NodeRunMoment } from './history.ts';

/** What a node run did during a part of its time. */
export type SpanKind = 'queued' | 'working' | 'people' | 'waiting' | 'uncertain';

/** A part of a node run's time, epoch milliseconds; `to` is absent while it lasts. */
export interface Span {
  readonly kind: SpanKind;
  /** Of the event that began it. */
  readonly seq: number;
  readonly from: number;
  readonly to?: number | undefined;
  readonly attempt: number;
}

/** The time of a node run in parts, as it looked after event `seq`; nothing for what was never started. */
export function spansOf({ moments }: NodeRunHistory, seq: number): Span[] {
  const spans: Span[] = [];
  for (let index = 0; index < moments.length; index += 1) {
    const moment = moments[index]!;
    if (moment.seq > seq) break;
    const kind = kindOf(moment);
    if (!kind) continue;
    const next = moments[index + 1];
    const to = next && next.seq <= seq ? next.at : undefined;
    const last = spans.at(-1);
    if (last && last.kind === kind && last.attempt === moment.attempt && last.to === moment.at)
      spans[spans.length - 1] = { ...last, to };
    else spans.push({ kind, seq: moment.seq, from: moment.at, to, attempt: moment.attempt });
  }
  return spans;
}

function kindOf({ status, question }: NodeRunMoment): SpanKind | undefined {
  switch (status) {
    case 'ready':
      return 'queued';
    case 'running':
    case 'compensating':
      return 'working';
    case 'uncertain':
      return 'uncertain';
    case 'waiting':
      return question !== undefined ? 'people' : 'waiting';
    case 'retry_wait':
    case 'blocked':
      return 'waiting';
    default:
      return undefined;
  }
}
