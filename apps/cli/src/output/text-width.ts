// biome-ignore lint/complexity/useRegexLiterals: the escape character is clearer as text
const ESCAPES = new RegExp('\\u001b\\[[0-9;?]*[A-Za-z]', 'g');
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const MARK = /\p{Mark}/u;
const CONTROL = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Columns that a text takes on a terminal; colour codes take none, East Asian characters two. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text.replace(ESCAPES, '')) width += characterWidth(character);
  return width;
}

/** Text of somebody else as one harmless line: control and direction characters become spaces. */
export const oneLine = (text: string): string => text.replace(CONTROL, ' ').replace(/\s+/g, ' ').trim();

/** Cuts a plain text to a number of columns, with `…` where something was cut. */
export function cut(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const character of text) {
    width += characterWidth(character);
    if (width > columns - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Cuts a text with colour codes to a number of columns; codes are kept whole. */
export function cutColoured(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let kept = '';
  let width = 0;
  let at = 0;
  for (const code of [...text.matchAll(ESCAPES), { 0: '', index: text.length }]) {
    for (const character of text.slice(at, code.index)) {
      width += characterWidth(character);
      if (width <= columns) kept += character;
    }
    kept += code[0];
    at = (code.index ?? 0) + code[0].length;
  }
  return kept;
}

/** Fills a text with spaces at its end up to a number of columns. */
export const fill = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - textWidth(text)));

function characterWidth(character: string): number {
  if (MARK.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
