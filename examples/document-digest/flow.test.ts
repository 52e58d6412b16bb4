// Would catch: a digest that loses or invents text, a run that costs nothing or calls a model without an intent, and a killed
// worker that changes what the run comes to.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordedEvent } from '@pawl/dag-core';
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
import { inventedSentences, readSections } from './read-report.ts';

const FLOW = 'document-digest';
const FOLDER = join(REPOSITORY, 'examples', FLOW, 'documents');
const REPORT = 'document-digest.md';

let undisturbed: EndedRun & { report: string; artifact: string };

beforeAll(async () => {
  undisturbed = await withExample({ name: FLOW, workers: 1 }, async ({ client, readWritten }) => {
    const ended = await runToEnd(client, { flow: FLOW, input: await exampleInput(FLOW) });
    expect(ended.run.status, JSON.stringify(ended.run.failure ?? ended.run.waitingFor)).toBe('succeeded');
    const artifact = await artifactText(client, ended.run.id, REPORT);
    return { ...ended, report: await readWritten(REPORT), artifact };
  });
});

describe('when the folder is digested undisturbed', () => {
  test('every document is in the report, in order, in its own language and words', async () => {
    const files = (await readdir(FOLDER)).sort();
    const sections = readSections(undisturbed.report);
    expect(sections.map(({ file }) => file)).toEqual(files);
    for (const { file, summary, language, keywords } of sections) {
      const source = await readFile(join(FOLDER, file), 'utf8');
      expect(summary.length, file).toBeGreaterThan(40);
      expect(inventedSentences(summary, source), file).toEqual([]);
      expect(keywords.length, file).toBeGreaterThan(0);
      const declared = /^declaration-(\w+)\.txt$/.exec(file)?.[1];
      if (declared !== undefined) expect(language.toLowerCase()).toBe(declared);
    }
  });

  test('the output counts what the folder holds and what the maps ran', async () => {
    const files = await readdir(FOLDER);
    const output = undisturbed.run.output as Record<string, unknown>;
    const expansions = undisturbed.events.flatMap((event) => (event.type === 'map.expanded' ? [event] : []));
    const passages = expansions.filter(({ path }) => path.endsWith('/summarisePassages'));
    expect(output.documents).toBe(files.length);
    expect(expansions.find(({ path }) => path === 'digestDocuments')?.data.count).toBe(files.length);
    expect(output.passages).toBe(passages.reduce((sum, { data }) => sum + data.count, 0));
    expect(output.report).toBe(REPORT);
    expect(output.cautious).toBe(false);
    const languages = Object.values(output.languages as Record<string, number>);
    expect(languages.reduce((sum, count) => sum + count, 0)).toBe(files.length);
  });

  test('documents of tables get a caution and prose does not', () => {
    const cautioned = readSections(undisturbed.report).filter(({ hasCaution }) => hasCaution);
    expect(cautioned.map(({ file }) => file)).toContain('reference-kenya.txt');
    expect(cautioned.filter(({ file }) => !file.startsWith('reference-'))).toEqual([]);
  });

  test('the artifact is the file', () => {
    expect(undisturbed.artifact).toBe(undisturbed.report);
  });

  test('each model call was an intent first, is counted and has a price', () => {
    const { passages, documents } = undisturbed.run.output as { passages: number; documents: number };
    const answers = modelAnswers(undisturbed.events);
    const groups = undisturbed.report.match(/^### Group \d+:/gm)?.length ?? 0;
    expect(answers.filter(({ intent }) => intent === undefined)).toEqual([]);
    expect(answers.length).toBe(passages + documents + groups + 1);
    expect(undisturbed.run.budget.spent.modelCalls).toBeGreaterThanOrEqual(answers.length);
    expect(undisturbed.run.budget.spent.costNanoUsd).toBeGreaterThan(0);
    expect(undisturbed.run.budget.reserved).toMatchObject({ costNanoUsd: 0, tokens: 0, modelCalls: 0 });
  });

  test('the file and the artifact were each written with one key, once', () => {
    for (const node of ['saveReport', 'publishReport']) {
      const { keys, successes } = effectsOf(undisturbed.events, node);
      expect(keys.size, node).toBe(1);
      expect(successes, node).toBe(1);
    }
  });
});

test('when the threshold is above what the digests reach, the run takes the cautious branch and says so on top', () =>
  withExample({ name: FLOW, workers: 1 }, async ({ client, readWritten }) => {
    const input = await exampleInput(FLOW, { qualityThreshold: 0.999 });
    const { run, events } = await runToEnd(client, { flow: FLOW, input });
    expect(run.status).toBe('succeeded');
    expect(run.output).toMatchObject({ cautious: true });
    expect(events.some(({ type, path }) => type === 'outcome.succeeded' && path === 'addCaution')).toBe(true);
    expect(
      undisturbed.events.some(({ type, path }) => type === 'nodeRun.skipped' && path === 'addCaution'),
    ).toBe(true);
    expect((await readWritten(REPORT)).split('## Overview')[0]).toContain('> **Caution:** The mean quality');
  }));

describe('when all workers are killed and another is started', () => {
  const answered = (count: number) => {
    let seen = 0;
    return (event: RecordedEvent) => {
      if (event.type === 'outcome.succeeded' && event.data.answer !== undefined) seen += 1;
      return seen === count;
    };
  };
  const aboutToWrite = () => (event: RecordedEvent) =>
    event.type === 'intent.recorded' && event.path === 'saveReport';

  test.each([
    // A score of model calls is under way then: some are lost, and their attempts are made again.
    { where: 'in the middle of the summaries', isMoment: answered(60), leastLost: 1 },
    // Between the intent and its outcome, or just after: the file may or may not be there yet.
    { where: 'about to write the file', isMoment: aboutToWrite(), leastLost: 0 },
  ])('$where, the run comes to the same report, written with the same key', ({ isMoment, leastLost }) =>
    withExample({ name: FLOW, workers: 2 }, async ({ client, workers, startWorker, readWritten }) => {
      let restarted: Promise<unknown> | undefined;
      const input = await exampleInput(FLOW);
      const { run, events } = await runToEnd(client, { flow: FLOW, input }, (event) => {
        if (restarted !== undefined || !isMoment(event)) return;
        for (const worker of workers) worker.kill('SIGKILL');
        restarted = startWorker();
      });
      expect(restarted).toBeDefined();
      await restarted;
      expect(run.status, JSON.stringify(run.failure ?? run.waitingFor)).toBe('succeeded');
      expect(await readWritten(REPORT)).toBe(undisturbed.report);
      expect(await artifactText(client, run.id, REPORT)).toBe(undisturbed.report);
      expect(events.filter(({ type }) => type === 'attempt.lost').length).toBeGreaterThanOrEqual(leastLost);
      const { keys, successes } = effectsOf(events, 'saveReport');
      expect({ keys: keys.size, successes }).toEqual({ keys: 1, successes: 1 });
      const answers = modelAnswers(events);
      expect(answers.filter(({ intent }) => intent === undefined)).toEqual([]);
      expect(answers.length).toBe(modelAnswers(undisturbed.events).length);
    }),
  );
});
