// Would catch: a secret in a log line, in whatever dress (V13).
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/logs/create-logger.ts';
import { passwordsIn } from '../../src/logs/secret-scrubber.ts';

const SECRET = 'pa"ss\\w/ör d\n1';

function logging(secrets: readonly string[]) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { lines, logger: createLogger({ process: 'worker', level: 'trace', secrets, destination }) };
}

describe('the log of a process', () => {
  it('names process and pid, and what a line is about', () => {
    const { lines, logger } = logging([]);
    logger.child({ runId: 'r', path: 'a' }).info({ attempt: 2 }, 'done');
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 30,
      process: 'worker',
      pid: process.pid,
      runId: 'r',
      path: 'a',
      attempt: 2,
      msg: 'done',
    });
  });

  it('V13: when a secret is in a message, a member, an error, an address, base64 or JSON inside text, it is not shown', () => {
    const { lines, logger } = logging([SECRET]);
    logger.info(`it is ${SECRET}`);
    logger.info({ deep: { list: [SECRET, `before ${SECRET} after`] } });
    logger.child({ bound: SECRET }).warn('a bound one');
    logger.error({
      err: new Error(`refused ${JSON.stringify({ key: SECRET })}`, { cause: new Error(SECRET) }),
    });
    logger.info({ url: `https://api/?key=${encodeURIComponent(SECRET)}` });
    logger.info({ basic: Buffer.from(SECRET).toString('base64') });
    const text = lines.join('');
    for (const part of ['pa"ss', 'pa\\"ss', 'pa%22ss', Buffer.from(SECRET).toString('base64').slice(0, 12)])
      expect(text).not.toContain(part);
    expect(text.split('[secret]').length - 1).toBeGreaterThanOrEqual(8);
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  });

  it('V13: when a secret contains another, nothing of the longer one is left', () => {
    const { lines, logger } = logging(['hidden', 'hidden-and-more']);
    logger.info('hidden-and-more');
    expect(JSON.parse(lines[0]!).msg).toBe('[secret]');
  });

  it('when a secret is shorter than a word, words stay whole', () => {
    const { lines, logger } = logging(['a', '']);
    logger.info('a banana');
    expect(JSON.parse(lines[0]!).msg).toBe('a banana');
  });

  it('V13: passwords inside addresses are known, as they are written and as they are meant', () => {
    const addresses = ['postgres://me:p%40ss@db/x', undefined, 'redis://:pawl@cache', 'no address'];
    expect(passwordsIn(addresses)).toEqual(['p@ss', 'p%40ss']);
  });
});
