import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';

const statement: Statement = {
  name: 'load-signing-key',
  text: 'select key from signing_key where name = $1',
};

/** The key that addresses of callbacks are signed with: 32 bytes. Index: signing_key's primary key. */
export async function loadCallbackKey(pool: HotPool): Promise<Buffer> {
  const [row] = await runStatement<{ key: Buffer }>(pool, statement, ['callback']);
  return row!.key;
}
