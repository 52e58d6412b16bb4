import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@pawl/api';
import { flowRefsIn, type Json, type JsonObject, type RecordedEvent } from '@pawl/dag-core';
import { parse } from 'yaml';
import { type Pawl, type PawlOptions, startPawl } from './pawl.ts';

/** Root of the repository: the folder that paths in the examples' inputs are relative to. */
export const REPOSITORY = join(import.meta.dirname, '../..');

/** A run that has ended, with all its facts. */
export interface EndedRun {
  readonly run: Awaited<ReturnType<Client['getRun']>>;
  readonly events: readonly RecordedEvent[];
}

/** An engine with workers that has an example published and an empty folder to write into. */
export interface ExampleStage extends Pawl {
  /** Text of a file that the run wrote. */
  readWritten(path: string): Promise<string>;
}

/** Which example is started, and what its workers need to know. */
export interface ExampleStart extends Pick<PawlOptions, 'queue' | 'env'> {
  readonly name: string;
  readonly workers: number;
}

/** Starts an engine and workers of its own for an example and publishes its flow. */
export async function startExample({ name, ...options }: ExampleStart): Promise<ExampleStage> {
  const writeRoot = await mkdtemp(join(tmpdir(), `pawl-${name}-`));
  const pawl = await startPawl({ ...options, filesRoot: REPOSITORY, writeRoot });
  const stop = async () => {
    await pawl.stop();
    await rm(writeRoot, { recursive: true, force: true });
  };
  try {
    await publishExample(pawl.client, name);
    return { ...pawl, stop, readWritten: (path) => readFile(join(writeRoot, path), 'utf8') };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Publishes the flow of an example, after those of the examples that it runs. */
async function publishExample(client: Client, name: string): Promise<void> {
  const document = parse(
    await readFile(join(REPOSITORY, 'examples', name, 'flow.yaml'), 'utf8'),
  ) as JsonObject & { name: string };
  for (const ref of flowRefsIn(document)) await publishExample(client, ref.split('@')[0]!);
  await client.publishFlow({ params: { flow: name }, body: document });
}

/** Starts an example as {@link startExample} does, and stops everything when `body` has ended. */
export async function withExample<T>(
  example: ExampleStart,
  body: (stage: ExampleStage) => Promise<T>,
): Promise<T> {
  const stage = await startExample(example);
  try {
    const result = await body(stage);
    const differences = await stage.rowsEqualFold();
    if (differences.length > 0)
      throw new Error(`Rows are not the fold of the journal (V12): ${JSON.stringify(differences)}`);
    return result;
  } finally {
    await stage.stop();
  }
}

/** The input that an example ships, with some members replaced. */
export async function exampleInput(name: string, changes: Record<string, Json> = {}): Promise<Json> {
  const text = await readFile(join(REPOSITORY, 'examples', name, 'input.json'), 'utf8');
  return { ...(JSON.parse(text) as Record<string, Json>), ...changes };
}

/**
 * Starts a run and follows its journal to the end.
 *
 * @param watch  called with each event as it is seen
 */
export async function runToEnd(
  client: Client,
  start: { readonly flow: string; readonly input: Json },
  watch: (event: RecordedEvent) => void = () => {},
): Promise<EndedRun> {
  const { runId } = await client.startRun({ body: start });
  const events: RecordedEvent[] = [];
  for await (const signal of client.runEvents(runId)) {
    if (signal.kind !== 'event') continue;
    events.push(signal.event);
    watch(signal.event);
  }
  return { run: await client.getRun({ params: { runId } }), events };
}

/** The text of the one artifact of a run with this name. */
export async function artifactText(client: Client, runId: string, name: string): Promise<string> {
  const { items } = await client.listArtifacts({ params: { runId } });
  const found = items.filter((artifact) => artifact.name === name);
  if (found.length !== 1)
    throw new Error(`Run ${runId} has ${found.length} artifacts named ${name}; expected one.`);
  const response = await client.downloadArtifact({ params: { artifactId: found[0]!.id } });
  return response.text();
}

/** The model answers in a journal, each with the intent that was recorded before it, if there is one. */
export function modelAnswers(events: readonly RecordedEvent[]) {
  const intents: Extract<RecordedEvent, { type: 'intent.recorded' }>[] = [];
  const answers = [];
  for (const event of events) {
    if (event.type === 'intent.recorded') intents.push(event);
    if (event.type !== 'outcome.succeeded' || event.data.answer === undefined) continue;
    const intent = intents.find(
      ({ path, attempt, data }) =>
        path === event.path &&
        attempt === event.attempt &&
        data.call === event.data.call &&
        data.effect === 'model',
    );
    answers.push({ path: event.path, answer: event.data.answer, intent });
  }
  return answers;
}

/** Intents and outcomes of the node runs of one node, by the last part of their path. */
export function effectsOf(events: readonly RecordedEvent[], nodeId: string) {
  const own = events.filter(({ path }) => path === nodeId || path.endsWith(`/${nodeId}`));
  return {
    keys: new Set(own.flatMap((event) => (event.type === 'intent.recorded' ? [event.data.key] : []))),
    successes: own.filter(({ type }) => type === 'outcome.succeeded').length,
  };
}
