const NAME = /^[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?$/;

export const isFlowName = (text: string): boolean => NAME.test(text);

/** The name that a title makes: `Äpfel & Birnen` → `apfel-birnen`; empty where nothing of it can be in a name. */
export const nameFrom = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 100)
    .replace(/^-+|-+$/g, '');

/** `name`, or the first of `name-2`, `name-3`, … that is not taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) {
    const next = `${name.slice(0, 99 - String(number).length)}-${number}`;
    if (!taken.has(next)) return next;
  }
}
