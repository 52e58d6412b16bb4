import { create } from 'zustand';

/** What a person chose; `system` follows the operating system. */
export type ThemeChoice = 'light' | 'dark' | 'system';

const KEY = 'pawl.theme';
const prefersDark = matchMedia('(prefers-color-scheme: dark)');

interface Theme {
  readonly choice: ThemeChoice;
  readonly shown: 'light' | 'dark';
  choose(choice: ThemeChoice): void;
}

const shownFor = (choice: ThemeChoice) =>
  choice === 'system' ? (prefersDark.matches ? 'dark' : 'light') : choice;

const stored = localStorage.getItem(KEY);
const initial: ThemeChoice = stored === 'light' || stored === 'dark' ? stored : 'system';

/** The theme of this browser. */
export const useTheme = create<Theme>((set) => ({
  choice: initial,
  shown: shownFor(initial),
  choose(choice) {
    localStorage.setItem(KEY, choice);
    set({ choice, shown: shownFor(choice) });
  },
}));

/** Writes the theme to the document, now and whenever it changes. */
export function applyTheme(): void {
  const write = ({ shown }: Theme) => {
    document.documentElement.dataset.theme = shown;
  };
  write(useTheme.getState());
  useTheme.subscribe(write);
  prefersDark.addEventListener('change', () =>
    useTheme.setState(({ choice }) => ({ shown: shownFor(choice) })),
  );
}
