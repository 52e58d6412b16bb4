/** argon2id with parameters that OWASP recommends: 19 MB and two passes for each guess. */
const HOW = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Loaded when it is needed: workers, which know no passwords, start without it. */
const argon2 = () => import('@node-rs/argon2');

/** What is stored of a password: algorithm, parameters, salt and hash in one text (PHC string format). */
export const hashPassword = async (password: string): Promise<string> =>
  (await argon2()).hash(prepared(password), HOW);

/** Whether the stored hash is that of the password. */
export const isPassword = async (stored: string, password: string): Promise<boolean> =>
  (await argon2()).verify(stored, prepared(password));

let nobodys: Promise<string> | undefined;

/** Takes as long as looking at a password, for a name that nobody has; never true. */
export async function isNobodysPassword(password: string): Promise<false> {
  nobodys ??= hashPassword(crypto.randomUUID());
  await isPassword(await nobodys, password);
  return false;
}

/** Another keyboard may make other code points of the same signs (RFC 8265). */
const prepared = (password: string): string => password.normalize('NFC');
