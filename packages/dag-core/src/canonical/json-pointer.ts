/** One more step of a JSON pointer (RFC 6901): `~` and `/` of the key are escaped. */
export const pointerTo = (parent: string, key: string | number): string =>
  `${parent}/${typeof key === 'number' ? key : key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
