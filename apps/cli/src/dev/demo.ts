import { readFile } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import type { Client } from '@pawl/api';
import type { Run } from '../api-types.ts';
import { wayOut } from '../commands/run-watch.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../output/json-text.ts';
import { runDetails } from '../output/run-details.ts';
import { cut, oneLine } from '../output/text-width.ts';
import type { ProgressView } from '../watch/progress-view.ts';
import { watchRun } from '../watch/watch-run.ts';
import type { DevParts } from './dev-parts.ts';
import { exampleInput } from './example-flows.ts';

const REPORT_LINES = 16;

/** Runs the main example on its input and follows it; returns how it ended, or that it waits for a person. */
export async function runDemo(client: Client, parts: DevParts, io: Io, view: ProgressView): Promise<Run> {
  const { runId } = await client.startRun({
    body: {
      flow: parts.mainExample,
      input: await exampleInput(parts.examples, parts.mainExample),
      trigger: 'cli',
      tags: { from: 'dev' },
    },
  });
  return watchRun(client, runId, io, { until: 'waiting', view });
}

/** Prints what came of it: the facts, the output, and the beginning of the report that it wrote. */
export async function printDemo(run: Run, outputFolder: string, io: Io): Promise<void> {
  io.out(`\n${runDetails(run, io)}${wayOut(run)}`);
  if (run.output === undefined) return;
  io.out(`\n${io.colours.dim('output')}\n${jsonText(run.output)}\n`);
  const report = await reportOf(run.output, outputFolder);
  if (!report) return;
  const lines = report.text.split('\n').slice(0, REPORT_LINES);
  io.out(`\n${io.colours.dim(`first lines of ${report.file}`)}\n`);
  for (const line of lines) io.out(`  ${cut(oneLine(line), io.columns() - 3)}\n`);
}

/** A flow that writes a file says so in its output as `report`, relative to the folder that tools may write. */
async function reportOf(
  output: Run['output'],
  folder: string,
): Promise<{ file: string; text: string } | undefined> {
  if (typeof output !== 'object' || output === null || Array.isArray(output)) return undefined;
  if (typeof output.report !== 'string') return undefined;
  const file = resolve(folder, output.report);
  if (!file.startsWith(folder + sep)) return undefined;
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : { file, text };
}
