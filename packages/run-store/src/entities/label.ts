/**
 * Text as a `text` column can hold it: PostgreSQL has no NUL and no half of a surrogate pair, so each becomes U+FFFD. For
 * labels only (titles, names); payloads are `json` columns and stay exactly as they came.
 */
export function storableLabel(text: string): string {
  return Buffer.from(text).toString('utf8').replaceAll('\u0000', '\ufffd');
}
