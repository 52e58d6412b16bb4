import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { HighlightStyle, StreamLanguage, type StringStream, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';
import { chips } from './chips.ts';
import type { CodeLanguage } from './code-field.tsx';

/** What of an expression stands at the beginning of the rest of the line, in the words of the highlighter. */
function expressionToken(stream: StringStream): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match(/^"(?:\\.|[^"\\])*"?|^'(?:\\.|[^'\\])*'?/)) return 'string';
  if (stream.match(/^`[^`]*`?/)) return 'propertyName';
  if (stream.match(/^\/\*[\s\S]*?\*\//)) return 'comment';
  if (stream.match(/^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/)) return 'number';
  if (stream.match(/^\$[\w$]*/)) return 'keyword';
  if (stream.match(/^(?:and|or|in|true|false|null|function)\b/)) return 'keyword';
  if (stream.match(/^[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/)) return 'propertyName';
  stream.next();
  return 'operator';
}

const expression = StreamLanguage.define({ name: 'expression', token: expressionToken });

interface Place {
  isInside: boolean;
  /** Braces of objects that are open in the expression. */
  depth: number;
}

const template = StreamLanguage.define<Place>({
  name: 'template',
  startState: () => ({ isInside: false, depth: 0 }),
  token(stream, place) {
    if (!place.isInside) {
      if (stream.match('{{')) {
        place.isInside = true;
        return 'brace';
      }
      if (!stream.match('\\{{')) stream.next();
      while (!stream.eol() && !stream.match(/^\\?\{\{/, false)) stream.next();
      return null;
    }
    if (place.depth === 0 && stream.match('}}')) {
      place.isInside = false;
      return 'brace';
    }
    const next = stream.peek();
    if (next === '{') place.depth += 1;
    if (next === '}') place.depth -= 1;
    return expressionToken(stream);
  },
});

const look = HighlightStyle.define([
  { tag: tags.string, color: 'var(--ok)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--wait)' },
  { tag: tags.keyword, color: 'var(--wait)' },
  { tag: tags.comment, color: 'var(--ink3)', fontStyle: 'italic' },
  { tag: [tags.propertyName, tags.brace], color: 'var(--accent)' },
  { tag: [tags.operator, tags.punctuation], color: 'var(--ink2)' },
]);

const LANGUAGES: Readonly<Record<CodeLanguage, () => Extension>> = {
  expression: () => expression,
  template: () => [template, chips],
  javascript: () => javascript(),
  json: () => [json(), chips],
};

/** What colours the text of a language. */
export const languageOf = (language: CodeLanguage): Extension => [
  LANGUAGES[language](),
  syntaxHighlighting(look),
];
