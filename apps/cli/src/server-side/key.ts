import type { Orm } from '@pawl/run-store';
import { Command } from 'commander';
import { type CommonOptions, newCommand, printJson, type Shell } from '../command.ts';
import { KeyNotFoundError } from '../errors.ts';
import { table } from '../output/table.ts';
import { oneLine } from '../output/text-width.ts';
import { ago } from '../output/values.ts';
import { type DatabaseOptions, databaseUrlOf } from './database-url.ts';

type Options = CommonOptions & DatabaseOptions & { readonly workspace?: string };

/** `pawl key`: API keys. They are made beside the database, because the first one cannot be asked for over the API. */
export const keyCommand = (shell: Shell): Command =>
  new Command('key')
    .description('API keys (works on the database)')
    .addCommand(keyCreate(shell))
    .addCommand(keyList(shell))
    .addCommand(keyRevoke(shell));

const newKeyCommand = (name: string, description: string): Command =>
  newCommand(name, description)
    .option('--database-url <url>', 'PostgreSQL (DATABASE_URL)')
    .option('--workspace <id>', 'id of the workspace (default: the one that every database starts with)');

const keyCreate = (shell: Shell): Command =>
  newKeyCommand('create', 'make a key; it is shown once')
    .argument('<name>', 'who or what will use it')
    .action((name: string, options: Options) =>
      withStore('key create', options, shell, async ({ orm, store, workspaceId }) => {
        const made = await store.createKey(orm, { workspaceId, name });
        if (options.json) return printJson(shell, made);
        shell.io.out(`${made.key}\n`);
        shell.io.err(
          'Keep it now: only its hash is stored. Use it as PAWL_API_KEY, or as "Authorization: Bearer …".\n',
        );
      }),
    );

const keyList = (shell: Shell): Command =>
  newKeyCommand('list', 'list keys').action((options: Options) =>
    withStore('key list', options, shell, async ({ orm, store, workspaceId }) => {
      const keys = await store.listKeys(orm, workspaceId);
      if (options.json) return printJson(shell, keys);
      const { io } = shell;
      const rows = keys.map((key) => [
        key.id,
        `${key.prefix}…`,
        ago(key.createdAt, io.now()),
        key.revokedAt
          ? io.colours.red(`revoked ${ago(key.revokedAt, io.now())}`)
          : io.colours.green('active'),
        oneLine(key.name),
      ]);
      const columns = ['id', 'key', 'created', 'state', 'name'].map((head) => ({ head }));
      io.out(keys.length > 0 ? table(columns, rows, io.colours.dim) : 'No keys yet.\n');
    }),
  );

const keyRevoke = (shell: Shell): Command =>
  newKeyCommand('revoke', 'make a key useless for ever')
    .argument('<id>', 'id of the key, from "pawl key list"')
    .action((keyId: string, options: Options) =>
      withStore('key revoke', options, shell, async ({ orm, store, workspaceId }) => {
        const revoked = await store.revokeKey(orm, { workspaceId, keyId });
        if (!revoked) throw new KeyNotFoundError(keyId);
        if (options.json) return printJson(shell, { id: keyId, revoked });
        shell.io.out(`Key ${keyId} is revoked.\n`);
      }),
    );

interface OpenStore {
  readonly orm: Orm;
  readonly store: typeof import('@pawl/run-store');
  readonly workspaceId: string;
}

async function withStore(
  command: string,
  options: Options,
  shell: Shell,
  work: (open: OpenStore) => Promise<void>,
): Promise<void> {
  const url = await databaseUrlOf(command, options, shell.io);
  // Loaded when needed: the mapper takes longer to load than most commands take.
  const store = await import('@pawl/run-store');
  const orm = await store.openOrm(url, { maxConnections: 1 });
  try {
    await work({ orm, store, workspaceId: options.workspace ?? store.DEFAULT_WORKSPACE_ID });
  } finally {
    await orm.close();
  }
}
