// Which mistake would this catch? Test support that gives two tests the same database or does not bring a server back.
import { createConnection } from 'node:net';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { startPostgres, startRedis } from '../../../../test/support/process.ts';

test('when a test asks for a database, it gets an empty UTF-8 one of its own that it can drop while connected', async () => {
  const one = await createTestDatabase();
  const two = await createTestDatabase();
  expect(one.url).not.toBe(two.url);
  const client = new pg.Client({ connectionString: one.url });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query(
    `select count(*)::int as tables, pg_encoding_to_char(max(encoding)) as encoding
       from pg_database left join pg_tables on schemaname = 'public' where datname = current_database()`,
  );
  expect(rows[0]).toMatchObject({ encoding: 'UTF8' });
  await one.drop();
  await two.drop();
  await expect(client.query('select 1')).rejects.toThrow();
});

test('when PostgreSQL is killed and restarted, it comes back on the same port with its data', async () => {
  const server = await startPostgres();
  try {
    const before = new pg.Client({ connectionString: server.url });
    before.on('error', () => undefined);
    await before.connect();
    await before.query('create table kept as select 1 as answer');
    const pid = server.pid();
    await server.restart({ mode: 'kill' });
    expect(server.pid()).not.toBe(pid);
    const after = new pg.Client({ connectionString: server.url });
    await after.connect();
    expect((await after.query('select answer from kept')).rows).toEqual([{ answer: 1 }]);
    await after.end();
  } finally {
    await server.dispose();
  }
});

test.runIf(inject('redisUrl'))(
  'when Redis is killed and restarted, it comes back on the same port and empty',
  async () => {
    const server = await startRedis();
    try {
      expect(await ask(server.port, 'SET kept 1')).toBe('+OK');
      expect(await ask(server.port, 'EXISTS kept')).toBe(':1');
      await server.restart({ mode: 'kill' });
      expect(await ask(server.port, 'EXISTS kept')).toBe(':0');
    } finally {
      await server.dispose();
    }
  },
);

function ask(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: '127.0.0.1', port }, () => socket.write(`${command}\r\n`));
    socket.setEncoding('utf8');
    socket.once('error', reject);
    socket.once('data', (answer: string) => {
      socket.destroy();
      resolve(answer.trim());
    });
  });
}
