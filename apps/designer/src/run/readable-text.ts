/** The beginning of a JSON text as a person reads it: a text without its quotes, anything else with line ends between its parts. */
export function readableText(begin: string): string {
  return begin.startsWith('"') ? unquoted(begin) : broken(begin);
}

function unquoted(begin: string): string {
  // An escape may be cut in half, and the end may be there or not.
  const body = begin.slice(1).replace(/(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?$/, '$1');
  try {
    return JSON.parse(/(?<!\\)(?:\\\\)*"$/.test(body) ? `"${body}` : `"${body}"`) as string;
  } catch {
    return begin;
  }
}

/** One character outside of texts, or one whole text, or a text that is cut. */
const PIECES = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[^\s"]/gs;

function broken(begin: string): string {
  const pieces = begin.match(PIECES) ?? [];
  let text = '';
  let depth = 0;
  pieces.forEach((piece, at) => {
    const next = pieces[at + 1] ?? '';
    const [opens, closes] = [piece === '{' || piece === '[', piece === '}' || piece === ']'];
    depth += opens ? 1 : closes ? -1 : 0;
    text += piece === ':' ? ': ' : piece;
    const isEnd = next === '}' || next === ']';
    if ((opens && !isEnd) || piece === ',') text += `\n${'  '.repeat(depth)}`;
    else if (isEnd && !opens) text += `\n${'  '.repeat(depth - 1)}`;
  });
  return text;
}
