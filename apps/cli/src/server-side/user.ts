import { NewUser } from '@pawl/api';
import type { Role } from '@pawl/dag-core';
import type { UserSummary } from '@pawl/run-store';
import { Command } from 'commander';
import { printJson, type Shell } from '../command.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { table } from '../output/table.ts';
import { ago } from '../output/values.ts';
import { roleArgument, roleOption } from './role-option.ts';
import { newStoreCommand, type StoreOptions, withStore } from './with-store.ts';

/** `pawl user`: who signs in with a browser. Beside the database, because the first one cannot be made by another. */
export const userCommand = (shell: Shell): Command =>
  new Command('user')
    .description('people who sign in to the designer (works on the database)')
    .addCommand(userCreate(shell))
    .addCommand(userList(shell))
    .addCommand(userRole(shell))
    .addCommand(userPassword(shell))
    .addCommand(userRemove(shell));

const NAME = 'letters, digits and . _ @ + -';

const userCreate = (shell: Shell): Command =>
  newStoreCommand('create', 'make a user; the password is asked for, or read from standard input')
    .argument('<name>', NAME)
    .addOption(roleOption().makeOptionMandatory())
    .action((typed: string, options: StoreOptions & { readonly role: Role }) =>
      withStore('user create', options, shell, async ({ orm, store, workspaceId }) => {
        const { role } = options;
        const name = checked('name', typed.toLowerCase());
        const password = checked('password', await passwordOf(shell.io));
        const user = await store.createUser(orm, { workspaceId, user: name, role, password });
        if (options.json) return printJson(shell, user);
        shell.io.out(`User ${name} may sign in as ${role}.\n`);
      }),
    );

const userList = (shell: Shell): Command =>
  newStoreCommand('list', 'list users').action((options: StoreOptions) =>
    withStore('user list', options, shell, async ({ orm, store, workspaceId }) => {
      const users = await store.listUsers(orm, workspaceId);
      if (options.json) return printJson(shell, users);
      const { io } = shell;
      const columns = ['name', 'role', 'signed in', 'sessions'].map((head) => ({ head }));
      const rows = users.map((user) => rowOf(user, io));
      io.out(users.length > 0 ? table(columns, rows, io.colours.dim) : 'No users yet.\n');
    }),
  );

const rowOf = ({ name, role, signedInAt, sessions }: UserSummary, io: Io): string[] => [
  name,
  role,
  signedInAt === undefined ? 'never' : ago(signedInAt, io.now()),
  String(sessions),
];

const userRole = (shell: Shell): Command =>
  newStoreCommand('role', 'give a user another role')
    .argument('<name>', NAME)
    .addArgument(roleArgument())
    .action((user: string, role: Role, options: StoreOptions) =>
      withStore('user role', options, shell, async ({ orm, store, workspaceId }) => {
        const changed = await store.changeUser(orm, { workspaceId, user, role });
        if (options.json) return printJson(shell, changed);
        shell.io.out(`User ${user} is ${role}.\n`);
      }),
    );

const userPassword = (shell: Shell): Command =>
  newStoreCommand(
    'password',
    'set a new password, asked for or from standard input; the sessions of the user end',
  )
    .argument('<name>', NAME)
    .action((user: string, options: StoreOptions) =>
      withStore('user password', options, shell, async ({ orm, store, workspaceId }) => {
        const password = checked('password', await passwordOf(shell.io));
        const changed = await store.changeUser(orm, { workspaceId, user, password });
        if (options.json) return printJson(shell, changed);
        shell.io.out(`User ${user} has a new password and is signed out everywhere.\n`);
      }),
    );

const userRemove = (shell: Shell): Command =>
  newStoreCommand('remove', 'remove a user and its sessions; what the user did stays recorded')
    .argument('<name>', NAME)
    .action((user: string, options: StoreOptions) =>
      withStore('user remove', options, shell, async ({ orm, store, workspaceId }) => {
        const was = await store.removeUser(orm, { workspaceId, user });
        if (options.json) return printJson(shell, was);
        shell.io.out(`User ${user} is removed.\n`);
      }),
    );

/** As an argument it would be seen by everybody on the machine; so it is asked for. */
async function passwordOf(io: Io): Promise<string> {
  const password = await io.readSecret('Password: ');
  if (io.isAsking && (await io.readSecret('Once more: ')) !== password)
    throw new UsageError('The two passwords differ: nothing was changed, try again.');
  return password;
}

/** @throws {UsageError} when it is not what the API takes either */
function checked(what: 'name' | 'password', value: string): string {
  const { success, error } = NewUser.shape[what].safeParse(value);
  if (success) return value;
  throw new UsageError(`The ${what} cannot be taken: ${error.issues[0]!.message.toLowerCase()}.`);
}
