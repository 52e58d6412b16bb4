/** Shorter values are likely to be part of ordinary words; whoever uses one as a secret has none. */
const SHORTEST = 4;
const MARK = '[secret]';

/**
 * Makes what takes known secrets out of lines of JSON, in every form that they take there: as they are, inside JSON text once and
 * twice, in addresses, in base64. Longer ones go first, so that one that contains another leaves nothing behind.
 *
 * @returns undefined when there is nothing to look for
 */
export function secretScrubber(secrets: readonly string[]): ((line: string) => string) | undefined {
  const forms = new Set(secrets.filter((secret) => secret.length >= SHORTEST).flatMap(writtenForms));
  if (forms.size === 0) return undefined;
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  const any = new RegExp(
    longestFirst.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'),
    'g',
  );
  return (line) => line.replace(any, MARK);
}

function writtenForms(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inJsonText = JSON.stringify(inJson).slice(1, -1);
  const bytes = Buffer.from(secret, 'utf8');
  const base64 = bytes.toString('base64');
  return [
    secret,
    inJson,
    inJsonText,
    encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\uFFFD')),
    ...(secret.length >= 6 ? [base64, base64.replace(/=+$/, ''), bytes.toString('base64url')] : []),
  ];
}

/** Passwords inside addresses of databases and queues; those that are hardly any stay readable, or `pawl` would be no word any more. */
export function passwordsIn(addresses: readonly (string | undefined)[]): string[] {
  return addresses.flatMap((address) => {
    if (address === undefined || !URL.canParse(address)) return [];
    const { password } = new URL(address);
    return password.length < 6 ? [] : [decodeURIComponent(password), password];
  });
}
