import type { Pool } from 'pg';

/** A reference to bytes that are not all there. Exactly one of artifact and run is named. */
export interface BrokenReference {
  readonly hash: string;
  readonly bytes: number;
  readonly presentBytes: number;
  readonly artifactId?: string;
  /** The run whose journal names the value. */
  readonly runId?: string;
}
export interface ContentReport {
  readonly contents: number;
  readonly broken: readonly BrokenReference[];
}

/**
 * Looks whether every content that is referred to is there as a whole (foreign keys see to it that it is there at all).
 * Sizes are read from pointers, so nothing is loaded. What a writer that died has left half-written counts only when
 * something names it.
 */
export async function checkContent(pool: Pool): Promise<ContentReport> {
  const { rows: counted } = await pool.query<{ contents: number }>(
    "select count(*)::int as contents from content where hash not like 'upload:%'",
  );
  const { rows: broken } = await pool.query<BrokenReference>(
    `with short as (
       select c.hash, c.bytes, coalesce(sum(octet_length(k.data)), 0) as present
       from content c
       left join artifact_chunk k on k.hash = c.hash
       where c.hash not like 'upload:%'
       group by c.hash
       having coalesce(sum(octet_length(k.data)), 0) <> c.bytes
     )
     select s.hash, s.bytes::float8 as bytes, s.present::float8 as "presentBytes", a.id as "artifactId", null as "runId"
     from short s join artifact a on a.hash = s.hash
     union all
     select s.hash, s.bytes::float8, s.present::float8, null, h.run_id
     from short s join held_value h on h.hash = s.hash
     where exists (
       select from journal j where j.run_id = h.run_id and strpos(j.data::text, '"hash":"' || s.hash || '"') > 0
     )`,
  );
  return { contents: counted[0]!.contents, broken: broken.map(withoutNulls) };
}

const withoutNulls = (row: BrokenReference): BrokenReference =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as unknown as BrokenReference;
