import { isUnspaced, wordsOf } from './words.ts';

/** The beginning of a text with at most `size` words (characters where words are not separated), closed by "…" if cut. */
export function cutToSize(text: string, size: number): string {
  if (isUnspaced(text)) {
    const characters = Array.from(text);
    return characters.length <= size ? text : `${characters.slice(0, Math.max(1, size - 1)).join('')}…`;
  }
  const words = wordsOf(text);
  if (words.length <= size) return text;
  let to = 0;
  for (const word of words.slice(0, size)) to = text.indexOf(word, to) + word.length;
  return `${text.slice(0, to)}…`;
}

/** A text whose length in code points is within the bounds: cut at a word where possible, or said again. */
export function fitLength(text: string, minLength: number, maxLength: number): string {
  let fitted = text;
  while (fitted.length < minLength || Array.from(fitted).length < minLength) {
    fitted = fitted === '' ? 'simulated' : `${fitted} ${text || 'simulated'}`;
  }
  // Most texts are far below the bound; counting code points is needed only near it.
  if (fitted.length <= maxLength) return fitted;
  const characters = Array.from(fitted);
  if (characters.length <= maxLength) return fitted;
  const cut = characters.slice(0, maxLength).join('');
  const space = cut.lastIndexOf(' ');
  const atWord = space > 0 ? cut.slice(0, space).replace(/[\s,;:–—-]+$/u, '') : cut;
  return Array.from(atWord).length >= minLength && atWord !== '' && space > cut.length / 2 ? atWord : cut;
}
