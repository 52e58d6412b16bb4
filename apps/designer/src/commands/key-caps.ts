const NAMES: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Delete: 'Del',
  Escape: 'Esc',
  PageDown: 'PgDn',
  PageUp: 'PgUp',
};

/** What is printed on the keys of a binding, in the order in which they are pressed: `$mod+Shift+KeyZ` → `Ctrl`, `Shift`, `Z`. */
export function keyCaps(binding: string, isMac: boolean): string[] {
  const parts = binding.split('+').map((part) => capOf(part, isMac));
  // Shift is in the sign already: `?` is not written as Shift and `?`.
  return parts.length === 2 &&
    parts[0] === capOf('Shift', isMac) &&
    /^[^\p{L}\p{N}]$/u.test(parts[1]!) &&
    !'←→↑↓'.includes(parts[1]!)
    ? [parts[1]!]
    : parts;
}

function capOf(part: string, isMac: boolean): string {
  switch (part) {
    case '$mod':
      return isMac ? '⌘' : 'Ctrl';
    case 'Alt':
      return isMac ? '⌥' : 'Alt';
    case 'Shift':
      return isMac ? '⇧' : 'Shift';
    default:
      return NAMES[part] ?? part.replace(/^(?:Key|Digit)/, '');
  }
}

/** Several bindings of one command, each once. */
export const capsOf = (bindings: readonly string[], isMac: boolean): string[][] => {
  const all = bindings.map((binding) => keyCaps(binding, isMac));
  return all.filter((caps, at) => all.findIndex((other) => other.join() === caps.join()) === at);
};

/** Whether this browser is on a machine whose keyboard has a command key. */
export const hasCommandKey = (): boolean => /mac|iphone|ipad/i.test(navigator.platform);
