import type { Tool } from '@pawl/tool-sdk';
import { type SqlConfig, SqlConnections } from './connections.ts';
import { sqlQuery } from './sql-query.ts';
import { sqlUpsert } from './sql-upsert.ts';

/** `sql.query@1` and `sql.upsert@1` on the configured databases. */
export function sqlTools(config: SqlConfig): Tool[] {
  const connections = new SqlConnections(config);
  return [sqlQuery(connections), sqlUpsert(connections)];
}
