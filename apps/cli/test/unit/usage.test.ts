// Which mistake would this catch? A wrong command line that does something, ends with the wrong code, or shows a stack.
import { describe, expect, test } from 'vitest';
import { runPawl } from '../support/run-pawl.ts';

const nowhere = { env: { PAWL_URL: 'http://127.0.0.1:9/' } };

describe('pawl', () => {
  test('when asked for help or version, it prints to standard output and exits 0', async () => {
    const help = await runPawl(['--help']);
    expect(help).toMatchObject({ exitCode: 0, err: '' });
    for (const command of ['dev', 'engine', 'worker', 'migrate', 'flow', 'run', 'tool', 'key', 'doctor']) {
      expect(help.out).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
    }
    const version = await runPawl(['--version']);
    expect(version.exitCode).toBe(0);
    expect(version.out).toMatch(/^\d+[.]\d+[.]\d+\n$/);
  });

  test.each([
    ['an unknown command', ['fly']],
    ['an unknown option', ['run', 'list', '--fast']],
    ['a missing argument', ['run', 'start']],
    ['a missing subcommand', ['run']],
    ['a number out of range', ['run', 'list', '--limit', '0']],
    ['a number that is none', ['run', 'list', '--limit', 'many']],
    ['a port out of range', ['dev', '--port', '70000']],
    ['a run id that is none', ['run', 'show', 'abc']],
    ['an address that is none', ['run', 'list', '--url', 'localhost:7420']],
    ['a tag without a value', ['run', 'start', 'greet', '--tag', 'red']],
    ['an instant that is none', ['run', 'list', '--since', 'yesterday']],
    ['a verdict that is none', ['run', 'settle', 'latest', '--path', 'a', '--verdict', 'maybe']],
    ['happened without an output', ['run', 'settle', 'latest', '--path', 'a', '--verdict', 'happened']],
    [
      'an output without happened',
      ['run', 'settle', 'latest', '--path', 'a', '--verdict', 'skip', '--output', '1'],
    ],
    ['no limit to raise', ['run', 'budget', 'latest']],
    ['a file that is not there', ['flow', 'publish', 'no-such-file.yaml']],
    ['no database for a command beside it', ['migrate']],
  ])('when given %s, it exits 2 with one sentence and no stack', async (_, words) => {
    const ran = await runPawl(words, nowhere);
    expect(ran.exitCode).toBe(2);
    expect(ran.out).toBe('');
    expect(ran.err).not.toMatch(/^\s+at /m);
    expect(ran.err.length).toBeGreaterThan(10);
  });

  test('when no engine answers, it exits 3 and says how to start one', async () => {
    const ran = await runPawl(['run', 'list'], { env: { PAWL_URL: 'http://127.0.0.1:1' } });
    expect(ran.exitCode).toBe(3);
    expect(ran.err).toMatch(/^error No engine answers at http:\/\/127\.0\.0\.1:1 .*npm start/);
  });

  test('when --json is given, an error is one JSON object on standard error', async () => {
    const ran = await runPawl(['run', 'show', 'abc', '--json'], nowhere);
    expect(JSON.parse(ran.err)).toEqual({
      error: { code: 'usage', message: expect.stringContaining('"abc" is no run id') },
    });
    const unknown = await runPawl(['run', 'list', '--json', '--fast'], nowhere);
    expect(unknown.err).toContain('"code":"usage"');
  });

  test('when --verbose is given, the stack is shown too', async () => {
    const ran = await runPawl(['run', 'show', 'abc', '--verbose'], nowhere);
    expect(ran.err).toMatch(/^\s+at /m);
  });
});
