import { Closers } from '../bench/closers.ts';
import { note } from '../bench/notes.ts';
import { startBareSite } from './bare-site.ts';
import { startBrowser } from './browser.ts';
import { bundles } from './bundles.ts';
import { startEngine } from './engine.ts';
import { measureCanvas } from './measures/canvas.ts';
import { measureLoad } from './measures/load.ts';
import { StatusMeasure } from './measures/status.ts';
import type { World } from './measures/world.ts';
import { MEASURES } from './measures.ts';
import { type DesignerBenchOptions, DesignerBenchOptionsError, readOptions } from './options.ts';
import { jsonReport, type Report, tableReport } from './report.ts';
import { Samples } from './samples.ts';

// npm run bench:designer. Figures go to standard output, everything else to standard error. Ends with 1 when anything went wrong,
// also when a page showed something wrong: that is no figure. See docs/performance.md.

const closers = new Closers();
let isInterrupted = false;
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => {
    isInterrupted = true;
    note(`${signal}: stopping`);
    void closers.close().finally(() => process.exit(code));
  });
}

try {
  const options = readOptions(process.argv.slice(2), MEASURES);
  const report = await run(options);
  process.stdout.write(options.json ? jsonReport(report) : tableReport(report));
} catch (error) {
  // What is under way fails when everything is being stopped.
  if (!isInterrupted) {
    note(error instanceof DesignerBenchOptionsError ? error.message : `Failed: ${(error as Error).stack}`);
    process.exitCode = 1;
  }
} finally {
  if (!isInterrupted) await closers.close();
}

async function run(options: DesignerBenchOptions): Promise<Report> {
  const isWanted = (name: string) => options.only.length === 0 || options.only.includes(name);
  note('starting an engine, a worker and a browser');
  const engine = await startEngine(closers);
  const site = await startBareSite(engine.url, closers);
  const newPage = await startBrowser(closers);
  const samples = new Samples();
  const world: World = { options, engine, site, samples, newPage, isWanted };
  const status = new StatusMeasure(world);
  for (let round = 0; round < options.rounds; round++) {
    note(`round ${round + 1} of ${options.rounds}`);
    await measureLoad(world, round);
    for (const size of options.sizes) {
      note(`${size} nodes`);
      await measureCanvas(world, size, round);
    }
    await status.measure(round);
    engine.checkHealth();
  }
  return { figures: samples.figures(), bundles: isWanted('bundles') ? bundles(site.bytes) : [] };
}
