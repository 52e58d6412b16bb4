// Rules kept here: L6 which calls a limit is about.

/** Characters of a target. */
const LONGEST_TARGET = 200;

/**
 * Whether a text names what a limit is about: `<provider>:<model>`, `<provider>:*`, `compatible:<server>/*`,
 * `<tool>@<version>` or `<tool>@*`.
 */
export const isLimitTarget = (text: string): boolean =>
  text.length <= LONGEST_TARGET && /^[A-Za-z][\w.-]*[:@](?:[^\s*]+|(?:[^\s*]+\/)?\*)$/.test(text);

/** Whether a limit is about a call. @param called `<provider>:<model>` or `<tool>@<version>` */
export const limitCovers = (target: string, called: string): boolean =>
  target.endsWith('*') ? called.startsWith(target.slice(0, -1)) : called === target;
