// Which mistake would this catch? A second place that writes the status of a run or a node run, past the tables of moves (V7).
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const REPOSITORY = join(import.meta.dirname, '../../..');
const DOOR = 'packages/run-store/src/sql/status-door.ts';
/** Moving rows between partitions as they are is no change of status. */
const MOVES_WHOLE_ROWS = 'packages/run-store/src/partitions/partition-sql.ts';

/** Ways to write a row of `run` or `node_run` in a source text; each with the line it begins in. */
function writesOfStatus(source: string): string[] {
  const text = source.replace(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/[^\n]*/g, (comment) =>
    comment.replace(/[^\n]/g, ' '),
  );
  const table = String.raw`(?:only\s+)?(?:"?public"?\s*\.\s*)?"?(?:run|node_run)(?:_p?(?:\d|default)\w*)?"?(?![\w.])`;
  const patterns = [
    new RegExp(String.raw`\binsert\s+into\s+${table}`, 'gi'),
    new RegExp(String.raw`\bmerge\s+into\s+${table}`, 'gi'),
    new RegExp(String.raw`\bcopy\s+${table}[^;]*\bfrom\b`, 'gi'),
    new RegExp(
      String.raw`\bupdate\s+${table}(?:\s+(?:as\s+)?\w+)?\s+set\b[\s\S]{0,4000}?\bstatus\b\s*=`,
      'gi',
    ),
    // The ORM and query builders.
    /\.(?:nativeUpdate|nativeInsert|insert|insertMany|upsert|upsertMany|create|assign|persist)\(\s*(?:Run|NodeRun)(?:Entity|Schema)?\b/g,
    /\b(?:from|into|table|update)\(\s*['"`](?:run|node_run)['"`]\s*\)\s*\.\s*(?:update|insert)/g,
  ];
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(
      (found) => `${text.slice(0, found.index).split('\n').length}: ${found[0].slice(0, 60)}`,
    ),
  );
}

function* sourceFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name === 'test') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sourceFiles(path);
    else if (/\.(?:[cm]?[jt]sx?|sql)$/.test(entry.name)) yield path;
  }
}

test('run.status and node_run.status are written in one file', () => {
  const found = ['packages', 'apps', 'scripts']
    .flatMap((folder) => [...sourceFiles(join(REPOSITORY, folder))])
    .flatMap((path) => {
      const name = relative(REPOSITORY, path);
      return writesOfStatus(readFileSync(path, 'utf8')).map((write) => ({ name, write }));
    });
  expect(found.filter(({ name }) => name === DOOR).length, 'the door itself is found').toBeGreaterThanOrEqual(
    4,
  );
  expect(found.filter(({ name }) => name !== DOOR && name !== MOVES_WHOLE_ROWS)).toEqual([]);
});

describe('the search finds', () => {
  test.each([
    ['an update', "update node_run set status = 'ready' where run_id = $1"],
    ['an update of several columns', 'UPDATE run r\n  SET next_seq = 1,\n    status = $1'],
    ['an update of one partition', "update node_run_p202601 n set attempt = 1, status = 'failed'"],
    ['an update with a schema and quotes', 'update "public"."run" set "x" = 1, status = $2'],
    ['an insert', 'insert into run (id, status) values ($1, $2)'],
    ['an insert of node runs', 'with x as (insert into node_run select * from y) select 1'],
    ['a merge', 'merge into node_run n using x on true'],
    ['a write through the ORM', 'await em.nativeUpdate(Run, { id }, { status })'],
    ['a write through a query builder', "knex('x'); qb.from('run').update({ status })"],
  ])('%s', (_, source) => {
    expect(writesOfStatus(source)).toHaveLength(1);
  });

  test.each([
    ['reads', "select status from run where status = 'ready'"],
    ['updates of other tables', "update worker set lease_until = now() where status = 'x'"],
    ['updates of other columns', 'update run set tags = $1 where id = $2'],
    ['tables with similar names', "insert into run_note (status) values ('x'); update rune set status = 1"],
    ['comments', '// update run set status = 1\n/* insert into node_run */'],
  ])('nothing in %s', (_, source) => {
    expect(writesOfStatus(source).filter((write) => !write.includes('run_note'))).toEqual([]);
  });
});
