import { type HeldWrites, holdWrites } from './hold-writes.ts';

/** Makes every claim of a ready node run wait inside its transaction. */
export const blockClaims = (pawl: { readonly databaseUrl: string }): Promise<HeldWrites> =>
  holdWrites(pawl, {
    table: 'node_run',
    on: 'update',
    when: "old.status = 'ready' and new.status = 'running'",
  });
