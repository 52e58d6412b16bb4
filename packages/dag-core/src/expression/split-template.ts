// Rules kept here: X1 `{{ … }}` holds an expression, `\{{` is a literal, every other brace is left byte for byte alone.

/** An expression inside a string. */
interface ExpressionPart {
  /** The text between the braces, spaces included. */
  readonly source: string;
  /** Offset of `source` in the string. */
  readonly position: number;
}

/** Literal text, or an expression. */
type TemplatePart = string | ExpressionPart;

export interface SplitTemplate {
  readonly parts: readonly TemplatePart[];
  /** Offset of the `{{` that has no `}}`. */
  readonly unclosedAt?: number;
}

/** Splits a string into literal text and expressions (X1). Linear. */
export function splitTemplate(text: string): SplitTemplate {
  const parts: TemplatePart[] = [];
  let literal = '';
  let from = 0;
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', from)) {
    if (text[open - 1] === '\\' && open - 1 >= from) {
      literal += `${text.slice(from, open - 1)}{{`;
      from = open + 2;
      continue;
    }
    const close = endOfExpression(text, open + 2);
    if (close < 0) return { parts, unclosedAt: open };
    literal += text.slice(from, open);
    if (literal !== '') parts.push(literal);
    literal = '';
    parts.push({ source: text.slice(open + 2, close), position: open + 2 });
    from = close + 2;
  }
  literal += text.slice(from);
  if (literal !== '') parts.push(literal);
  return { parts };
}

/**
 * Offset of the `}}` that ends an expression, or -1. Braces inside strings, quoted names, comments, regular expressions
 * and object constructors do not end it.
 */
function endOfExpression(text: string, start: number): number {
  let depth = 0;
  let beforeOperand = true;
  for (let at = start; at < text.length; at++) {
    const char = text[at] as string;
    if (char === ' ' || char === '\n' || char === '\t' || char === '\r') continue;
    if (char === '"' || char === "'" || char === '`') {
      at = skipQuoted(text, at, char);
      beforeOperand = false;
    } else if (char === '/' && text[at + 1] === '*') {
      const end = text.indexOf('*/', at + 2);
      if (end < 0) return -1;
      at = end + 1;
    } else if (char === '/' && beforeOperand) {
      at = skipRegex(text, at);
      beforeOperand = false;
    } else if (char === '{') {
      depth += 1;
      beforeOperand = true;
    } else if (char === '}') {
      if (depth === 0) return text[at + 1] === '}' ? at : -1;
      depth -= 1;
      beforeOperand = false;
    } else if (isNameUnit(char)) {
      const end = endOfName(text, at);
      beforeOperand = /^(?:and|or|in)$/.test(text.slice(at, end));
      at = end - 1;
    } else {
      beforeOperand = char !== ')' && char !== ']';
    }
  }
  return -1;
}

function skipQuoted(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\' && quote !== '`') at += 1;
    else if (text[at] === quote) return at;
  }
  return text.length;
}

/** JSONata ends a regular expression at the first `/` outside brackets that is not escaped. */
function skipRegex(text: string, start: number): number {
  let depth = 0;
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at] as string;
    if (char === '\\') at += 1;
    else if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth -= 1;
    else if (char === '/' && depth === 0) return at;
  }
  return text.length;
}

const isNameUnit = (char: string): boolean => /[\w$\u0080-\uffff]/.test(char);

function endOfName(text: string, start: number): number {
  let at = start;
  while (at < text.length && isNameUnit(text[at] as string)) at += 1;
  return at;
}
