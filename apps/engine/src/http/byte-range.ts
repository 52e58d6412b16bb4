/** What a request for bytes is answered with: `end` is not included. */
export type Part =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly start: number; readonly end: number }
  | { readonly kind: 'outside' };

const WHOLE: Part = { kind: 'whole' };

/**
 * The part of a content that `Range` and `If-Range` ask for (RFC 9110 §14). What is not understood, several ranges among it,
 * is answered with the whole, as the standard wants it.
 */
export function partOf(
  headers: { readonly range?: string | undefined; readonly 'if-range'?: string | undefined },
  { bytes, etag }: { readonly bytes: number; readonly etag: string },
): Part {
  const { range, 'if-range': onlyIf } = headers;
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(range?.replaceAll(/\s/g, '') ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return WHOLE;
  if (onlyIf !== undefined && onlyIf !== etag) return WHOLE;
  if (first === '') {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? { kind: 'outside' } : { kind: 'part', start: bytes - length, end: bytes };
  }
  if (last !== '' && Number(last) < Number(first)) return WHOLE;
  if (Number(first) >= bytes) return { kind: 'outside' };
  return { kind: 'part', start: Number(first), end: last === '' ? bytes : Math.min(Number(last) + 1, bytes) };
}

/** True when `If-None-Match` names the content: the caller has it already. */
export function hasAlready(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((one) => {
    const known = one.trim().replace(/^W\//, '');
    return known === '*' || known === etag;
  });
}
