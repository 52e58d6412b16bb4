import { z } from 'zod';
import { list, named } from './named.ts';
import { Instant } from './values.ts';

/** As flows name it: `{{ secrets.NAME }}`. */
export const CredentialName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'Expected letters, digits and _, beginning with a letter or _');

export const Credential = named(
  'Credential',
  z.object({
    name: z.string(),
    setBy: z.string(),
    setAt: Instant,
    isReadable: z.boolean().meta({
      description: 'False: it was set under another PAWL_SECRET_KEY than the engine has now. Set it again.',
    }),
  }),
);
export const CredentialList = named(
  'CredentialList',
  z.object({
    items: list(Credential),
    canStore: z.boolean().meta({ description: 'False: the engine has no PAWL_SECRET_KEY.' }),
  }),
);

const LONGEST_VALUE = 16_384;
export const SetCredential = named(
  'SetCredential',
  z.strictObject({
    name: CredentialName,
    value: z.string().min(1).max(LONGEST_VALUE).meta({ description: 'Written only: nothing gives it back.' }),
  }),
);
