import pg from 'pg';

/** Asks the database of a Pawl directly, for what the API does not tell and for faults done to it. */
export async function askDatabase<Row extends pg.QueryResultRow>(
  { databaseUrl }: { readonly databaseUrl: string },
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(statement, values)).rows;
  } finally {
    await client.end();
  }
}
