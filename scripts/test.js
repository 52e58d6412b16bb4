// npm test: the checks, then every test; with arguments only vitest with them. The last line counts both.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, root } from './prepare.js';

const CHECKS = [
  ['types', 'typecheck'],
  ['lint and format', 'lint'],
  ['unused code', 'unused'],
  ['import directions', 'directions'],
];

prepare();
const extra = process.argv.slice(2);
const results = extra.length > 0 ? [] : CHECKS.map(([title, script]) => runCheck(title, script));
results.push(runVitest(extra));
finish(results);

function runCheck(title, script) {
  const begun = Date.now();
  const done = spawnSync('npm', ['run', '--silent', script], { cwd: root, encoding: 'utf8' });
  const ok = done.status === 0;
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${title} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
  if (!ok) console.log(`${done.stdout}${done.stderr}`.trimEnd());
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
}

function runVitest(args) {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-test-report-'));
  const report = join(folder, 'report.json');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  // The run ends by itself on a signal to the group; this process only waits for it.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
  const done = spawnSync(
    process.execPath,
    [vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args],
    { cwd: root, stdio: 'inherit' },
  );
  const counts = readCounts(report);
  rmSync(folder, { recursive: true, force: true });
  // A file that could not be loaded, or an error outside any test, fails the run without a failed test.
  if (done.status !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

function readCounts(report) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
      readFileSync(report, 'utf8'),
    );
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests };
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}

function finish(all) {
  const sum = (key) => all.reduce((total, result) => total + result[key], 0);
  const skipped = sum('skipped');
  console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exitCode = sum('failed') > 0 ? 1 : 0;
}
