import { holderOf, probePath, type RecordedEvent } from '@pawl/dag-core';
import { resolveEventData } from '../artifacts/large-values.ts';
import type { HotPool } from '../hot-pool.ts';
import { whoMayStillSend } from '../live/may-still-send.ts';
import { type EventWish, findNewestEvents } from '../sql/find-newest-events.ts';
import { kindOfQuestion, type QuestionParts } from './inbox-shapes.ts';

/** Adds to questions about doubts what came since: a late answer, and who may still send. Others stay as they are. */
export async function withEvidence(
  pool: HotPool,
  questions: readonly QuestionParts[],
): Promise<QuestionParts[]> {
  const doubts = questions.filter(({ asked }) => kindOfQuestion(asked) === 'uncertain');
  if (doubts.length === 0) return [...questions];
  const wishes = doubts.flatMap(({ of: { runId, path }, asked, intent }): EventWish[] => [
    { runId, path, type: 'outcome.late', after: (intent ?? asked).seq },
    { runId, path: probePath(path, asked.attempt), type: 'probe.answered', after: asked.seq },
  ]);
  const late = new Map<string, RecordedEvent>();
  const probes = new Map<string, RecordedEvent>();
  for (const { runId, ...event } of await findNewestEvents(pool, wishes)) {
    const whole = { ...event, data: await resolveEventData(pool, event.data) } as RecordedEvent;
    (event.type === 'outcome.late' ? late : probes).set(`${runId} ${event.path}`, whole);
  }
  const holders = new Map<QuestionParts, string>();
  for (const doubt of doubts) {
    const holder = holderNow(doubt, late.get(keyOf(doubt)));
    if (holder !== undefined) holders.set(doubt, holder);
  }
  const sending = await whoMayStillSend(pool, [...holders.values()]);
  return questions.map((question) => {
    if (!doubts.includes(question)) return question;
    const holder = holders.get(question);
    return {
      ...question,
      late: late.get(keyOf(question)),
      probe: probes.get(`${question.of.runId} ${probePath(question.of.path, question.asked.attempt)}`),
      mayStillSend: holder === undefined ? undefined : sending.get(holder),
    };
  });
}

const keyOf = ({ of }: QuestionParts): string => `${of.runId} ${of.path}`;

function holderNow({ asked, intent }: QuestionParts, late: RecordedEvent | undefined): string | undefined {
  return holderOf([...(intent ? [intent] : []), asked, ...(late ? [late] : [])], asked.attempt);
}
