import pg from 'pg';

/** How many of the last events of a run are shown. */
const EVENTS = 15;

/**
 * What is known of every run that has not ended, runs of sub-flows among them: how it stands, its open node runs, its last events and the
 * words that nobody heard. For who has to find out why.
 */
export async function leftOpen(databaseUrl: string): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  try {
    const rows = async (text: string, values: unknown[] = []): Promise<string[]> =>
      (await pool.query<{ line: string }>(text, values)).rows.map(({ line }) => line);
    const { rows: open } = await pool.query<{ id: string; line: string }>(
      `select id, to_json(r)::jsonb - array['input', 'output'] as line from run r
       where status not in ('succeeded', 'partial', 'failed', 'cancelled') order by id`,
    );
    const told = await Promise.all(
      open.map(async ({ id, line }) => [
        `open run ${JSON.stringify(line)}`,
        ...(await rows(
          `select '  node run ' || to_json(n) as line from node_run n where run_id = $1
             and status not in ('succeeded', 'failed', 'skipped', 'cancelled', 'compensated') order by path`,
          [id],
        )),
        ...(await rows(
          `select '  event ' || concat_ws(' ', seq, at, type, path, attempt, left(data::text, 400)) as line
           from (select * from journal where run_id = $1 order by seq desc limit ${EVENTS}) e order by seq`,
          [id],
        )),
      ]),
    );
    return [
      ...told.flat(),
      ...(await rows("select 'unheard word ' || to_json(w) as line from word w")),
      ...(await rows("select 'doorbell ' || to_json(o) as line from outbox o limit 20")),
    ];
  } finally {
    await pool.end();
  }
}
