import type { Role } from '@pawl/dag-core';
import { Command } from 'commander';
import { printJson, type Shell } from '../command.ts';
import { table } from '../output/table.ts';
import { oneLine } from '../output/text-width.ts';
import { ago } from '../output/values.ts';
import { roleOption } from './role-option.ts';
import { newStoreCommand, type StoreOptions, withStore } from './with-store.ts';

/** `pawl key`: API keys. They are made beside the database, because the first one cannot be asked for over the API. */
export const keyCommand = (shell: Shell): Command =>
  new Command('key')
    .description('API keys (works on the database)')
    .addCommand(keyCreate(shell))
    .addCommand(keyList(shell))
    .addCommand(keyRevoke(shell));

const keyCreate = (shell: Shell): Command =>
  newStoreCommand('create', 'make a key; it is shown once')
    .argument('<name>', 'who or what will use it')
    .addOption(roleOption().default('operator'))
    .action((name: string, options: StoreOptions & { readonly role: Role }) =>
      withStore('key create', options, shell, async ({ orm, store, workspaceId }) => {
        const { role } = options;
        const made = await store.createKey(orm, { workspaceId, name, role });
        if (options.json) return printJson(shell, made);
        shell.io.out(`${made.key}\n`);
        shell.io.err(
          `Its role is ${role}. Keep it now: only its hash is stored. Use it as PAWL_API_KEY, or as "Authorization: Bearer …".\n`,
        );
      }),
    );

const keyList = (shell: Shell): Command =>
  newStoreCommand('list', 'list keys').action((options: StoreOptions) =>
    withStore('key list', options, shell, async ({ orm, store, workspaceId }) => {
      const keys = await store.listKeys(orm, workspaceId);
      if (options.json) return printJson(shell, keys);
      const { io } = shell;
      const rows = keys.map((key) => [
        key.id,
        `${key.prefix}…`,
        key.role,
        ago(key.createdAt, io.now()),
        key.usedAt === undefined ? 'never' : ago(key.usedAt, io.now()),
        key.revokedAt
          ? io.colours.red(`revoked ${ago(key.revokedAt, io.now())}`)
          : io.colours.green('active'),
        oneLine(key.name),
      ]);
      const columns = ['id', 'key', 'role', 'created', 'used', 'state', 'name'].map((head) => ({ head }));
      io.out(keys.length > 0 ? table(columns, rows, io.colours.dim) : 'No keys yet.\n');
    }),
  );

const keyRevoke = (shell: Shell): Command =>
  newStoreCommand('revoke', 'make a key useless for ever')
    .argument('<id>', 'id of the key, from "pawl key list"')
    .action((keyId: string, options: StoreOptions) =>
      withStore('key revoke', options, shell, async ({ orm, store, workspaceId }) => {
        const revoked = await store.revokeKey(orm, { workspaceId, keyId });
        if (options.json) return printJson(shell, revoked);
        shell.io.out(`Key ${keyId} is revoked.\n`);
      }),
    );
