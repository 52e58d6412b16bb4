// Catches: an error code without a documented line, a documented code that does not exist, or a status that differs.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isProblemCode, PROBLEMS, type ProblemCode, problemType } from '../src/index.ts';

const page = readFileSync(new URL('../../../docs/guide/errors.md', import.meta.url), 'utf8');
const rows = [...page.matchAll(/^\| `([a-z_]+)` \| (\d{3}) \| (.+?) \| (.+) \|$/gm)].map(
  ([, code, status, title, docs]) => ({ code, status: Number(status), title, docs }),
);

describe('the catalogue of problems', () => {
  it('is the table of docs/guide/errors.md, line by line, in both directions', () => {
    const catalogue = Object.entries(PROBLEMS).map(([code, entry]) => ({ code, ...entry }));
    expect(rows).toEqual(catalogue);
  });

  it.each(Object.entries(PROBLEMS))('%s has an error status and a stable form', (code, entry) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(entry.status).toBeGreaterThanOrEqual(400);
    expect(entry.docs).toMatch(/\.$/);
    expect(entry.docs.length).toBeGreaterThan(entry.title.length);
    expect(problemType(code as ProblemCode)).toBe(`urn:pawl:problem:${code}`);
  });

  it('takes no inherited name for a code', () => {
    expect(isProblemCode('constructor')).toBe(false);
    expect(isProblemCode('run_not_found')).toBe(true);
  });
});
