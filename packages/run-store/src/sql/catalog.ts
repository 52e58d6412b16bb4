import type { Json } from '@pawl/dag-core';
import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import { jsonArray, textArray } from './array-literal.ts';

/** A tool, a model or a provider of models that some worker offers. */
export interface CatalogEntry {
  readonly kind: 'tool' | 'model' | 'provider';
  readonly ref: string;
  readonly declaration: Json;
}

const declare: Statement = {
  name: 'declare-catalog',
  text: `
insert into catalog (kind, ref, declaration)
select x.kind, x.ref, x.declaration from unnest($1::text[], $2::text[], $3::json[]) as x(kind, ref, declaration)
order by x.kind, x.ref
on conflict (kind, ref) do update set declaration = excluded.declaration, seen_at = now()`,
};

const list: Statement = {
  name: 'list-catalog',
  text: `select kind, ref, declaration from catalog where kind >= '' order by kind, ref`,
};

const find: Statement = {
  name: 'find-declaration',
  text: 'select declaration from catalog where kind = $1 and ref = $2',
};

/** A worker says what it can do, so that engines can check flows and list tools. */
export async function declareCatalog(pool: HotPool, entries: readonly CatalogEntry[]): Promise<void> {
  await runStatement(pool, declare, [
    textArray(entries.map((entry) => entry.kind)),
    textArray(entries.map((entry) => entry.ref)),
    jsonArray(entries.map((entry) => entry.declaration)),
  ]);
}

/** Everything workers have offered. Index: catalog's primary key. */
export const listCatalog = (pool: HotPool): Promise<CatalogEntry[]> => runStatement(pool, list, []);

/** What workers declared of one tool or model; undefined when none did. Index: catalog's primary key. */
export async function findDeclaration(
  pool: HotPool,
  kind: CatalogEntry['kind'],
  ref: string,
): Promise<Json | undefined> {
  const [row] = await runStatement<{ declaration: Json }>(pool, find, [kind, ref]);
  return row?.declaration;
}
