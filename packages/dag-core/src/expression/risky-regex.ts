// Rules kept here: X7 a regular expression whose work can explode with the length of the text is refused at publish.

/** True when a repeated group holds a repetition itself, as `(a+)+` does: backtracking can then take exponential time. */
export function isRiskyRegex(source: string): boolean {
  const groups: { repeats: boolean }[] = [{ repeats: false }];
  for (let at = 0; at < source.length; at++) {
    const char = source[at] as string;
    const group = groups[groups.length - 1] as { repeats: boolean };
    if (char === '\\') at += 1;
    else if (char === '[') at = endOfClass(source, at);
    else if (char === '(') groups.push({ repeats: false });
    else if (char === ')' && groups.length > 1) {
      const closed = groups.pop() as { repeats: boolean };
      const isRepeated = isUnbounded(source, at + 1);
      if (closed.repeats && isRepeated) return true;
      const outer = groups[groups.length - 1] as { repeats: boolean };
      outer.repeats ||= closed.repeats;
    } else if (isUnbounded(source, at)) group.repeats = true;
  }
  return false;
}

function endOfClass(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === ']') return at;
  }
  return source.length;
}

function isUnbounded(source: string, at: number): boolean {
  const char = source[at];
  if (char === '*' || char === '+') return true;
  const braces = char === '{' ? /^\{\d+,(\d*)\}/.exec(source.slice(at, at + 24)) : null;
  return braces !== null && (braces[1] === '' || Number(braces[1]) > 10);
}
