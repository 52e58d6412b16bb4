// Would catch: a node that is shown as running though nobody holds it, or as lost because it began after the server was asked.
import { describe, expect, it } from 'vitest';
import type { NodeRunMoment } from '../../../src/run/history.ts';
import { leaseLeftMs, shownStatus, type Work } from '../../../src/run/work.ts';

const moment = (status: NodeRunMoment['status'], seq: number, attempt = 1) =>
  ({ status, seq, attempt }) as NodeRunMoment;
const work = (
  asOf: number,
  ...items: readonly (readonly [path: string, attempt: number, isAlive: boolean])[]
): Work => ({
  asOf,
  byPath: new Map(
    items.map(([path, attempt, isAlive]) => [
      path,
      { path, attempt, isAlive, workerId: 'w', leftMs: isAlive ? 900 : 0 },
    ]),
  ),
});

describe('how a node run is shown', () => {
  it('rule 2: as running only while a lease lives', () => {
    expect(shownStatus('a', moment('running', 5), work(9, ['a', 1, true]))).toBe('running');
    expect(shownStatus('a', moment('running', 5), work(9, ['a', 1, false]))).toBe('unheld');
    expect(shownStatus('a', moment('running', 5), work(9))).toBe('unheld');
    expect(shownStatus('a', moment('running', 5), work(9, ['a', 2, true]))).toBe('unheld');
  });

  it('as running while nobody was asked, and when it began after that', () => {
    expect(shownStatus('a', moment('running', 5), undefined)).toBe('running');
    expect(shownStatus('a', moment('running', 10), work(9))).toBe('running');
  });

  it('as running where a worker holds it that has not said anything yet', () => {
    expect(shownStatus('a', moment('ready', 5, 0), work(9, ['a', 1, true]))).toBe('running');
    expect(shownStatus('a', moment('ready', 5, 1), work(9, ['a', 1, true]))).toBe('ready');
    expect(shownStatus('a', moment('ready', 5, 0), work(9, ['a', 1, false]))).toBe('ready');
  });

  it('as it ended, whoever holds what', () => {
    expect(shownStatus('a', moment('succeeded', 5), work(4, ['a', 1, true]))).toBe('succeeded');
  });

  it('is asked about again when the first lease is over', () => {
    expect(leaseLeftMs(work(1, ['a', 1, true], ['b', 1, false]))).toBe(900);
    expect(leaseLeftMs(work(1))).toBe(Number.POSITIVE_INFINITY);
  });
});
