import type { RandomSource } from './random.ts';

// Makes a text for a simple regular expression: literals, classes, \d \w \s, groups, alternatives, quantifiers.
// Look-arounds and back references are not simple; the answer is then undefined.

/** A text that the pattern accepts, or undefined when none was found. */
export function textForPattern(pattern: string, random: RandomSource): string | undefined {
  try {
    const accepts = new RegExp(pattern, 'u');
    for (let tries = 0; tries < 8; tries += 1) {
      const text = new PatternWriter(pattern, random).write();
      if (accepts.test(text)) return text;
    }
  } catch {
    return undefined;
  }
  return undefined;
}

class PatternWriter {
  private at = 0;
  private readonly pattern: string;
  private readonly random: RandomSource;

  constructor(pattern: string, random: RandomSource) {
    this.pattern = pattern;
    this.random = random;
  }

  write(): string {
    const text = this.alternatives();
    if (this.at < this.pattern.length) throw new SyntaxError(`not simple at ${this.at}`);
    return text;
  }

  private alternatives(): string {
    const choices = [this.sequence()];
    while (this.pattern[this.at] === '|') {
      this.at += 1;
      choices.push(this.sequence());
    }
    return choices[Math.floor(this.random() * choices.length)]!;
  }

  private sequence(): string {
    let text = '';
    while (this.at < this.pattern.length && this.pattern[this.at] !== '|' && this.pattern[this.at] !== ')') {
      const start = this.at;
      let piece = this.atom();
      const afterAtom = this.at;
      const times = this.quantifier();
      if (times === 0) piece = '';
      const end = this.at;
      for (let i = 1; i < times; i += 1) {
        this.at = start;
        piece += this.atom();
      }
      this.at = Math.max(end, afterAtom);
      text += piece;
    }
    return text;
  }

  private atom(): string {
    const character = this.pattern[this.at]!;
    this.at += 1;
    if (character === '^' || character === '$') return '';
    if (character === '.') return 'x';
    if (character === '[') return this.oneOf(this.classMembers());
    if (character === '\\') return this.oneOf(this.escape());
    if (character === '(') {
      if (this.pattern[this.at] === '?') {
        const group = /^\?(?::|<[a-zA-Z]\w*>)/.exec(this.pattern.slice(this.at));
        if (group === null) throw new SyntaxError('look-around');
        this.at += group[0].length;
      }
      const inner = this.alternatives();
      this.at += 1;
      return inner;
    }
    return character;
  }

  private quantifier(): number {
    const found = /^(?:([*+?])|\{(\d+)(,(\d*))?\})\??/.exec(this.pattern.slice(this.at));
    if (found === null) return 1;
    this.at += found[0].length;
    const [least, most] =
      found[1] === undefined
        ? [
            Number(found[2]),
            found[3] === undefined ? Number(found[2]) : Number(found[4] || Number(found[2]) + 4),
          ]
        : { '*': [0, 6], '+': [1, 6], '?': [0, 1] }[found[1] as '*' | '+' | '?'];
    return least! + Math.floor(this.random() * (Math.min(most!, least! + 8) - least! + 1));
  }

  private escape(): string {
    const character = this.pattern[this.at]!;
    this.at += 1;
    if (character === 'd') return '0123456789';
    if (character === 'w') return 'abcdefghijklmnopqrstuvwxyz';
    if (character === 's') return ' ';
    if (character === 'p') {
      const end = this.pattern.indexOf('}', this.at);
      const name = this.pattern.slice(this.at + 1, end);
      this.at = end + 1;
      return name.startsWith('N') ? '0123456789' : name === 'Lu' ? 'ABCDEFGH' : 'abcdefgh';
    }
    if (/[a-zA-Z0-9]/.test(character)) throw new SyntaxError(`escape ${character}`);
    return character;
  }

  private classMembers(): string {
    if (this.pattern[this.at] === '^') throw new SyntaxError('negated class');
    let members = '';
    while (this.pattern[this.at] !== ']') {
      if (this.at >= this.pattern.length) throw new SyntaxError('open class');
      if (this.pattern[this.at] === '\\') {
        this.at += 1;
        members += this.escape();
      } else if (this.pattern[this.at + 1] === '-' && this.pattern[this.at + 2] !== ']') {
        const from = this.pattern.codePointAt(this.at)!;
        const to = Math.min(this.pattern.codePointAt(this.at + 2)!, from + 80);
        for (let code = from; code <= to; code += 1) members += String.fromCodePoint(code);
        this.at += 3;
      } else {
        members += this.pattern[this.at];
        this.at += 1;
      }
    }
    this.at += 1;
    return members;
  }

  private oneOf(members: string): string {
    const characters = Array.from(members);
    return characters[Math.floor(this.random() * characters.length)] ?? '';
  }
}
