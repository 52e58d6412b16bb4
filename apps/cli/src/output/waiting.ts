import type { WaitingFor } from '../api-types.ts';
import { oneLine } from './text-width.ts';
import { duration } from './values.ts';

const WORDS: Readonly<Record<WaitingFor['kind'], string>> = {
  worker: 'a free worker',
  outcome: 'the outcome of a running effect',
  edges: 'inbound edges',
  children: 'its items or turns',
  flow: 'the run of another flow',
  parent: 'the run above to go on',
  timer: 'its time',
  signal: 'a signal',
  person: 'a decision',
  probe: 'its tool to say what happened',
  callback: 'a callback',
  budget: 'more budget',
  cancel: 'running effects to end',
  limit: 'its turn under a limit',
  nodes: 'its node runs',
};

/** `a decision (outcome_lost), for 12.4 s`; with the time left where there is an end. */
export function waitingWords(waiting: WaitingFor, now: number): string {
  const reason = reasonOf(waiting.detail);
  const left = waiting.until ? Date.parse(waiting.until) - now : undefined;
  return [
    WORDS[waiting.kind] + (reason ? ` (${reason})` : ''),
    `for ${duration(now - Date.parse(waiting.since))}`,
    ...(left === undefined ? [] : [left > 0 ? `${duration(left)} left` : 'due']),
  ].join(', ');
}

/** True when nothing goes on until a person decides something. */
export const needsPerson = (waiting: WaitingFor | undefined): boolean =>
  waiting?.kind === 'person' || waiting?.kind === 'budget';

function reasonOf(detail: WaitingFor['detail']): string | undefined {
  if (typeof detail === 'string') return oneLine(detail);
  if (typeof detail !== 'object' || detail === null || Array.isArray(detail)) return undefined;
  const { reason, code, message } = detail;
  const found = [reason, code, message].find((value) => typeof value === 'string');
  return typeof found === 'string' ? oneLine(found) : undefined;
}
