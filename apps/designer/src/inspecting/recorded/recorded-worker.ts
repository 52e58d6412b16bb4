import { createClient } from '@pawl/api';
import type { Json, NodeView } from '@pawl/dag-core';
import { type Preview, previewOf } from './preview.ts';
import type { Answers, FromWorker, NodeRunPreview, Question, ToWorker, Trouble } from './questions.ts';
import { NotRecordedError, RecordedRun } from './recorded-run.ts';

// Rules kept here: whole values of runs stay in this worker, the page gets previews; an expression that does not come to an end takes
// this worker with it, and not the page.

const api = createClient({ baseUrl: self.location.origin });
type NodeRunRecord = Awaited<ReturnType<typeof api.getNodeRun>>;

/** Runs that are kept at once. */
const MOST_RUNS = 3;
const FINAL: readonly string[] = ['succeeded', 'failed', 'skipped', 'cancelled', 'compensated'];

/** A run with what was read of it; what has ended does not change any more. */
class KeptRun {
  readonly runId: string;
  readonly recorded: Promise<RecordedRun>;
  readonly #ended = new Map<string, Promise<NodeRunRecord | undefined>>();

  constructor(runId: string) {
    this.runId = runId;
    this.recorded = this.#read();
  }

  async #read(): Promise<RecordedRun> {
    const run = await api.getRun({ params: { runId: this.runId } });
    const version = await api.getVersion({ params: { flow: run.flow, versionId: run.version } });
    return new RecordedRun({
      document: version.document,
      input: run.input as Json,
      run: { id: run.id, startedAt: run.startedAt ?? run.createdAt },
      nodeRun: async (path) => viewOf(await this.nodeRun(path)),
    });
  }

  nodeRun(path: string): Promise<NodeRunRecord | undefined> {
    let found = this.#ended.get(path);
    if (!found) {
      found = this.#fetch(path);
      this.#ended.set(path, found);
      const forget = () => this.#ended.delete(path);
      found.then((nodeRun) => (nodeRun && FINAL.includes(nodeRun.status) ? undefined : forget()), forget);
    }
    return found;
  }

  async #fetch(path: string): Promise<NodeRunRecord | undefined> {
    try {
      return await api.getNodeRun({ params: { runId: this.runId }, query: { path } });
    } catch (error) {
      if ((error as { code?: string }).code === 'node_run_not_found') return undefined;
      throw error;
    }
  }
}

function viewOf(nodeRun: NodeRunRecord | undefined): NodeView | undefined {
  if (!nodeRun || !FINAL.includes(nodeRun.status)) return undefined;
  const { output, failure, status } = nodeRun;
  return {
    status,
    ...(output !== undefined && { output: output as Json }),
    ...(failure && { failure: failure as unknown as Json }),
  };
}

const kept = new Map<string, KeptRun>();

function keptRun(runId: string): KeptRun {
  const run = kept.get(runId) ?? new KeptRun(runId);
  kept.delete(runId);
  kept.set(runId, run);
  run.recorded.catch(() => kept.delete(runId));
  for (const oldest of kept.keys()) if (kept.size > MOST_RUNS) kept.delete(oldest);
  return run;
}

async function answer(question: Question, onBegin: () => void): Promise<Answers[Question['ask']]> {
  const run = keptRun(question.runId);
  const recorded = await run.recorded;
  switch (question.ask) {
    case 'evaluate':
      return previewOf(await recorded.evaluate(question, question.scopePath, onBegin));
    case 'look':
      return Promise.all(question.paths.map((path) => look(recorded, path, question.scopePath)));
    case 'nodeRun':
      return nodeRunPreview(run, recorded, question.path);
  }
}

/** What cannot be read there is not there: who completes a name wants the others all the same. */
async function look(
  recorded: RecordedRun,
  path: readonly string[],
  scopePath: string,
): Promise<Preview | undefined> {
  const value = await recorded.valueAt(path, scopePath).catch(() => undefined);
  return value === undefined ? undefined : previewOf(value);
}

async function nodeRunPreview(run: KeptRun, recorded: RecordedRun, path: string): Promise<NodeRunPreview> {
  const nodeRun = await run.nodeRun(path);
  if (!nodeRun) throw new NotRecordedError('not_reached', path);
  const intent = nodeRun.events.findLast(({ type }) => type === 'intent.recorded')?.data as
    | { readonly target: string; readonly request: Json }
    | undefined;
  const readings = await recorded.readings(path);
  return {
    status: nodeRun.status,
    attempt: nodeRun.attempt,
    readings: readings.map((each) => ({
      path: each.path,
      ...(each.value !== undefined && { value: previewOf(each.value) }),
    })),
    ...(intent && { request: { target: intent.target, value: previewOf(intent.request) } }),
    ...(nodeRun.output !== undefined && { output: previewOf(nodeRun.output as Json) }),
    ...(nodeRun.failure && { failure: nodeRun.failure.message }),
    ...(nodeRun.given && { given: nodeRun.given.origin }),
  };
}

function troubleOf(error: unknown): Trouble {
  const { code = 'unknown', message, what } = error as Partial<NotRecordedError> & { code?: string };
  return { code: String(code), message: message ?? String(error), what };
}

self.onmessage = async ({ data: { number, ...question } }: MessageEvent<ToWorker>) => {
  const say = (word: FromWorker) => self.postMessage(word);
  try {
    say({ number, answer: await answer(question as Question, () => say({ number, begun: true })) });
  } catch (error) {
    say({ number, trouble: troubleOf(error) });
  }
};
