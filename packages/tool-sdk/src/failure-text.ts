import type { Json } from './json.ts';

/** Longest failure message, in UTF-16 units. */
export const MAX_MESSAGE_UNITS = 4_000;

/** Replaces lone surrogates by U+FFFD, so that every store and every JSON reader takes the text (C26). */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\uFFFD');

/** Cuts to at most `maxUnits` UTF-16 units, never through a surrogate pair; a cut text ends in `…`. */
export function cutText(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text;
  let end = Math.max(0, maxUnits - 1);
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return `${text.slice(0, end)}…`;
}

/**
 * Removes known secret values, also in the forms they take in URLs, JSON text and base64 (V13).
 * Longer values go first, so that a secret that contains another one leaves nothing behind.
 */
export function scrubSecrets(text: string, secrets: readonly string[]): string {
  const forms = new Set(secrets.filter((secret) => secret !== '').flatMap(writtenForms));
  let result = text;
  for (const form of [...forms].sort((a, b) => b.length - a.length)) {
    result = result.replaceAll(form, '[secret]');
  }
  return result;
}

/** Removes known secret values from every text inside a value, names of members included (V13). */
export function scrubJson(value: Json, secrets: readonly string[]): Json {
  if (secrets.length === 0) return value;
  if (typeof value === 'string') return scrubSecrets(value, secrets);
  if (Array.isArray(value)) return value.map((item) => scrubJson(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [scrubSecrets(key, secrets), scrubJson(item, secrets)]),
  );
}

function writtenForms(secret: string): string[] {
  const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(wellFormed(secret))];
  // Shorter base64 texts are likely to be part of ordinary words.
  if (secret.length >= 6) {
    const base64 = Buffer.from(secret, 'utf8').toString('base64');
    forms.push(base64, base64.replace(/=+$/, ''), Buffer.from(secret, 'utf8').toString('base64url'));
  }
  return forms;
}

/** Scrubbed, well-formed, and at most {@link MAX_MESSAGE_UNITS} long; scrubbed first, so that no cut half stays. */
export const failureText = (text: string, secrets: readonly string[], maxUnits = MAX_MESSAGE_UNITS): string =>
  cutText(wellFormed(scrubSecrets(text, secrets)), maxUnits);
