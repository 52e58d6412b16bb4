import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { effectsOf } from '../support/example-run.ts';
import { journalOf } from '../support/watch-run.ts';
import type { SoakFlow, SoakRun } from './flows.ts';
import type { SoakSystem } from './system.ts';

/** What the nights are started with; made here only. */
interface Night {
  readonly documents: string;
  readonly day: string;
  readonly reviewWithin: string;
}

/**
 * One night after the other, and an editor who looks at every second report: in turn before it asks and when it may be waiting.
 * Of the others the time to look at them runs out.
 */
export function editor(): Required<Pick<SoakFlow, 'key' | 'meanwhile' | 'broken'>> & Pick<SoakFlow, 'input'> {
  let nights = 0;
  return {
    input() {
      const day = new Date(Date.UTC(2026, 0, 1 + nights)).toISOString().slice(0, 10);
      return {
        documents: 'examples/nightly-report/documents',
        day,
        reviewWithin: nights++ % 2 === 0 ? 'PT6H' : 'PT2S',
      };
    },
    key: (input) => `nightly ${(input as unknown as Night).day}`,
    async meanwhile(input, system) {
      const { day, reviewWithin } = input as unknown as Night;
      if (reviewWithin !== 'PT6H') return;
      if (Date.parse(day) % (4 * 86_400_000) === 0) await pause(8_000);
      await system.client().sendSignal({
        body: { name: 'report-reviewed', key: day, id: `of ${day}`, payload: { remark: remarkOf(day) } },
      });
    },
    broken: brokenNight,
  };
}

const remarkOf = (day: string): string => `I read that of ${day}.`;

/** One digest, a draft, and one report that says what the editor of its day said; whoever died meanwhile. */
async function brokenNight({ id, status, input }: SoakRun, system: SoakSystem): Promise<string[]> {
  const { day, reviewWithin } = input as unknown as Night;
  const client = system.client();
  const run = await client.getRun({ params: { runId: id } });
  const broken: string[] = [];
  const must = (isSo: boolean, sentence: string) => {
    if (!isSo) broken.push(`run ${id} of the night ${day}: ${sentence}`);
  };
  const { items: below } = await client.listRuns({ query: { parent: id } });
  must(below.length <= 1, `F3 it has ${below.length} digests`);
  const spent = JSON.stringify(below[0]?.budget.spent ?? run.budget.spent);
  must(
    JSON.stringify(run.budget.spent) === spent,
    `F6 it spent ${JSON.stringify(run.budget.spent)}, and its digest ${spent}`,
  );
  const { items } = await client.listArtifacts({ params: { runId: id }, query: { limit: 200 } });
  const reports = items.filter(({ runId, name }) => runId === id && name === 'report.md');
  const versions = reports.map(({ version }) => version).join();
  if (status !== 'succeeded') {
    must(['', '1', '1,2'].includes(versions), `V2 it was cancelled and has the versions ${versions}`);
    return broken;
  }
  must(below[0]?.status === 'succeeded', `its digest is ${below[0]?.status}`);
  must(versions === '1,2', `V2 its report has the versions ${versions}`);
  const events = await journalOf({ client }, id);
  for (const node of ['draft', 'publish', 'save']) {
    const { keys, successes } = effectsOf(events, node);
    must(keys.size === 1 && successes === 1, `V2, V4 ${node} has ${keys.size} keys, ${successes} outcomes`);
  }
  const review = reviewWithin === 'PT6H' ? `Reviewed: ${remarkOf(day)}` : 'Not reviewed in time.';
  const [draft, report] = await Promise.all(
    reports.map(async (each) =>
      (await client.downloadArtifact({ params: { artifactId: each.artifactId } })).text(),
    ),
  );
  const wanted = `> ${day}. ${review}\n\n${draft}`;
  must(draft?.includes(`Report of ${day}`) === true, 'its draft is that of another day');
  must(report === wanted, `its report begins with ${report?.slice(0, 80)}`);
  const file = await readFile(join(system.folder, `nightly-${day}.md`), 'utf8');
  must(file === wanted, `its file begins with ${file.slice(0, 80)}`);
  return broken;
}
