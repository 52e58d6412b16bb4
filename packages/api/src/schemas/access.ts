import type { Role } from '@pawl/dag-core';
import { z } from 'zod';
import { list, named, words } from './named.ts';
import { Id, Instant } from './values.ts';

export const RoleWord = named(
  'Role',
  words<Role>({ viewer: true, operator: true, editor: true, admin: true }).meta({
    description: 'What may be done, least first; each role may what those before it may.',
  }),
);

/** Letters of any script, in lower case, so that two names never differ by case alone. */
export const UserName = z
  .string()
  .max(100)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}._@+-]*$/u, 'Expected letters, digits and . _ @ + -')
  .refine((name) => name === name.toLowerCase(), 'Expected small letters')
  .meta({ description: 'For instance ada or ada@example.com; unique in a workspace.' });

/** Long, and otherwise as one likes: rules about signs make passwords worse (NIST SP 800-63B). */
const Password = z.string().min(12, 'Expected at least 12 characters').max(200);

/** Anything may be tried; what does not fit fails like what is wrong. */
const tried = z.string().max(1_000);

export const SignIn = named(
  'SignIn',
  z.union([
    z.strictObject({
      name: tried,
      password: tried,
      workspace: z
        .string()
        .max(200)
        .optional()
        .meta({ description: 'Name of the workspace. Absent: the one that every database starts with.' }),
    }),
    z.strictObject({ key: tried }),
  ]),
);

export const Me = named(
  'Me',
  z.object({
    name: z.string(),
    by: z.string().meta({ description: 'As the journal names who asks: user:<name>, key:<name> or local.' }),
    role: RoleWord,
    workspace: z.object({ id: z.string(), name: z.string() }),
    signedInWith: words<'password' | 'key' | 'nothing'>({ password: true, key: true, nothing: true }).meta({
      description: '`nothing`: a request from the same machine under `npm start`.',
    }),
    sessionUntil: Instant.optional().meta({
      description: 'When the session ends at the latest. Absent: there is no session to end.',
    }),
  }),
);

export const SignedOut = named('SignedOut', z.object({ sessions: z.number() }));

export const ChangePassword = named('ChangePassword', z.strictObject({ current: tried, password: Password }));

export const User = named(
  'User',
  z.object({
    name: z.string(),
    role: RoleWord,
    createdAt: Instant,
    signedInAt: Instant.optional().meta({ description: 'Last signed in. Absent: never.' }),
    sessions: z.number().meta({ description: 'Sessions in force.' }),
  }),
);
export const UserList = named('UserList', z.object({ items: list(User) }));
export const NewUser = named(
  'NewUser',
  z.strictObject({ name: UserName, role: RoleWord, password: Password }),
);
export const ChangeUser = named(
  'ChangeUser',
  z
    .strictObject({ role: RoleWord.optional(), password: Password.optional() })
    .refine(({ role, password }) => role ?? password, 'Expected a role, a password or both'),
);

export const Key = named(
  'Key',
  z.object({
    id: Id,
    name: z.string(),
    role: RoleWord,
    prefix: z.string().meta({ description: 'First characters of the key.' }),
    createdAt: Instant,
    createdBy: z.string().optional(),
    usedAt: Instant.optional().meta({ description: 'Last used, to the minute. Absent: never.' }),
    revokedAt: Instant.optional(),
  }),
);
export const KeyList = named('KeyList', z.object({ items: list(Key) }));
export const NewKey = named(
  'NewKey',
  z.strictObject({
    name: z
      .string()
      .min(1)
      .max(100)
      .regex(/^[^\u0000-\u001f\u007f]*$/, 'Expected no control characters'),
    role: RoleWord,
  }),
);
export const KeyWithSecret = named(
  'KeyWithSecret',
  Key.extend({ key: z.string().meta({ description: 'The key itself; told this once.' }) }),
);
