// Would catch: commits that are lost, doubled or put into a class that does not exist between a history and its notes, also
// when a worker dies in the middle of the fan.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  artifactText,
  type EndedRun,
  effectsOf,
  exampleInput,
  modelAnswers,
  REPOSITORY,
  runToEnd,
  withExample,
} from '../../test/support/example-run.ts';

const FLOW = 'release-notes';
const NOTES = 'release-notes.md';
const CLASSES = ['breaking', 'feature', 'fix', 'performance', 'docs', 'internal', 'other'];

interface History {
  readonly to: string;
  readonly commits: readonly { readonly hash: string; readonly subject: string }[];
}

const history = JSON.parse(
  await readFile(join(REPOSITORY, 'examples', FLOW, 'commits.json'), 'utf8'),
) as History;

/** The sections of the notes with the short hashes listed in each. */
function readNotes(notes: string): Map<string, string[]> {
  const sections = notes.split(/^## /m).slice(1);
  return new Map(
    sections.map((text) => [
      text.split('\n')[0]!,
      [...text.matchAll(/^- .*\(([0-9a-f]{9})\)$/gm)].map(([, hash]) => hash!),
    ]),
  );
}

let undisturbed: EndedRun & { notes: string; artifact: string };

beforeAll(async () => {
  undisturbed = await withExample({ name: FLOW, workers: 1 }, async ({ client, readWritten }) => {
    const input = await exampleInput(FLOW, { bulletsPerSection: 500 });
    const ended = await runToEnd(client, { flow: FLOW, input });
    expect(ended.run.status, JSON.stringify(ended.run.failure ?? ended.run.waitingFor)).toBe('succeeded');
    const artifact = await artifactText(client, ended.run.id, NOTES);
    return { ...ended, notes: await readWritten(NOTES), artifact };
  });
});

describe('when the history is turned into notes', () => {
  test('every commit is listed exactly once, but for reverts, what they take back, and the release commit', () => {
    const reverted = new Set(history.commits.map(({ subject }) => /^Revert "(.+)"$/.exec(subject)?.[1]));
    const expected = history.commits.filter(
      ({ subject }) => !reverted.has(subject) && !subject.startsWith('Revert "') && subject !== history.to,
    );
    const listed = [...readNotes(undisturbed.notes).values()].flat();
    expect(listed.sort()).toEqual(expected.map(({ hash }) => hash.slice(0, 9)).sort());
  });

  test('the counts of the output are those of the sections', () => {
    const { commits, counts } = undisturbed.run.output as { commits: number; counts: Record<string, number> };
    const sections = readNotes(undisturbed.notes);
    expect(commits).toBe(history.commits.length);
    expect(sections.get('Fixed')?.length).toBe(counts.fix);
    expect(sections.get('New')?.length).toBe(counts.feature);
    expect(sections.get('Faster and smaller')?.length).toBe(counts.performance);
    expect(counts.fix).toBeGreaterThan(20);
  });

  test('each answer about a commit names one of the classes and was an intent first', () => {
    const answers = modelAnswers(undisturbed.events);
    const classified = answers.filter(({ path }) => path.endsWith('/classifyCommit'));
    expect(classified.length).toBe(history.commits.length);
    for (const { answer } of classified) expect(CLASSES).toContain(JSON.parse(answer.text).category);
    expect(answers.filter(({ intent }) => intent === undefined)).toEqual([]);
    expect(undisturbed.run.budget.spent.modelCalls).toBeGreaterThanOrEqual(answers.length);
    expect(undisturbed.run.budget.spent.costNanoUsd).toBeGreaterThan(0);
  });

  test('each section opens with a paragraph, and the artifact is the file', () => {
    for (const section of undisturbed.notes.split(/^## /m).slice(1)) {
      expect(section.split('\n')[2]!.length, section.split('\n')[0]).toBeGreaterThan(20);
    }
    expect(undisturbed.artifact).toBe(undisturbed.notes);
  });
});

test('when one of two workers is killed in the middle of the fan, the notes are the same and were written once', () =>
  withExample({ name: FLOW, workers: 2 }, async ({ client, workers, readWritten }) => {
    const input = await exampleInput(FLOW, { bulletsPerSection: 500 });
    let answers = 0;
    const { run, events } = await runToEnd(client, { flow: FLOW, input }, (event) => {
      if (event.type !== 'outcome.succeeded' || event.data.answer === undefined) return;
      answers += 1;
      if (answers === 200) workers[0]!.kill('SIGKILL');
    });
    expect(answers).toBeGreaterThan(200);
    expect(run.status, JSON.stringify(run.failure ?? run.waitingFor)).toBe('succeeded');
    expect(await readWritten(NOTES)).toBe(undisturbed.notes);
    expect(modelAnswers(events).length).toBe(modelAnswers(undisturbed.events).length);
    for (const node of ['saveNotes', 'publishNotes']) {
      const { keys, successes } = effectsOf(events, node);
      expect({ node, keys: keys.size, successes }).toEqual({ node, keys: 1, successes: 1 });
    }
  }));
