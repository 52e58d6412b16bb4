/** One more step of a JSON pointer (RFC 6901): `~` and `/` of the key are escaped. */
export const pointerTo = (parent: string, key: string | number): string =>
  `${parent}/${typeof key === 'number' ? key : key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The keys of a JSON pointer (RFC 6901), unescaped, in order. */
export const pointerParts = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
