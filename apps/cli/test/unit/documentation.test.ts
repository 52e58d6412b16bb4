// Which mistake would this catch? A script written by the documentation that reads an exit code wrongly.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { runPawl } from '../support/run-pawl.ts';

const guide = await readFile(new URL('../../../../docs/guide/cli.md', import.meta.url), 'utf8');

test('when an exit code exists, the guide has its row, and no row is of another code', () => {
  const rows = [...guide.matchAll(/^\| (\d+) \| \S/gm)].map((match) => Number(match[1]));
  expect(rows).toEqual(Object.values(EXIT));
});

test('when a command exists, the guide names it', async () => {
  const groups = [
    'flow',
    'run',
    'inbox',
    'signal',
    'artifact',
    'key',
    'user',
    'tool',
    'model',
    'schedule',
    'webhook',
  ];
  const top = commandsIn((await runPawl(['--help'])).out).filter((name) => !groups.includes(name));
  for (const name of top) expect(guide).toContain(`pawl ${name}`);
  for (const group of groups) {
    for (const name of commandsIn((await runPawl([group, '--help'])).out)) {
      expect(guide, `${group} ${name}`).toMatch(new RegExp(`pawl ${group} [^\n]*${name}`));
    }
  }
});

function commandsIn(help: string): string[] {
  const list = help.slice(help.indexOf('Commands:'));
  return [...list.matchAll(/^ {2}([a-z]+)\b/gm)]
    .map((match) => match[1] as string)
    .filter((name) => name !== 'help');
}
