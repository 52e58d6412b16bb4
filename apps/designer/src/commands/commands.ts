import { useEffect } from 'react';
import { tinykeys } from 'tinykeys';
import { create } from 'zustand';

/** Something that can be done on a screen: what binds its keys, shows them and finds it by name reads this, and nothing else. */
export interface Command {
  /** Unlike any other on the screen. */
  readonly id: string;
  /** What it does, in the words of who looks. */
  readonly words: string;
  /** Each does the same; as tinykeys writes them: `$mod+Shift+KeyZ`. Absent: found by its name only. */
  readonly keys?: readonly string[];
  /** Only by its keys, because it means nothing without them: arrows that go on from where one is. */
  readonly isKeysOnly?: boolean;
  /** Whether its keys count where they were pressed; absent: anywhere but in fields, menus and dialogs. */
  readonly countsAt?: (target: HTMLElement) => boolean;
  /** Without an event when it was found by its name. */
  readonly act: (event?: KeyboardEvent) => void;
}

/** The commands of a part of a screen, under a heading. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
  /** What can be found by name besides, looked up when somebody looks for it. */
  readonly more?: () => readonly FoundCommand[];
}

/** A command that is known by another name as well: an id. */
export interface FoundCommand extends Command {
  readonly also?: string | undefined;
  /** Beside its name. */
  readonly note?: string | undefined;
}

/** Where keys mean something else. */
const ELSEWHERE = 'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]';

/** True anywhere but in fields, menus and dialogs. */
const isFree = (target: HTMLElement): boolean => target.closest(ELSEWHERE) === null;

/** What can be done on the screen that is shown, the part that came last first. */
export const useShownCommands = create<{ readonly groups: readonly CommandGroup[] }>(() => ({ groups: [] }));

/** Binds the keys of commands and offers them by name, for as long as the part of the screen is there. `groups` is the same as long as nothing in it changes. */
export function useCommands(groups: readonly CommandGroup[]): void {
  useEffect(() => {
    useShownCommands.setState(({ groups: others }) => ({ groups: [...groups, ...others] }));
    const unbind = tinykeys(window, bindingsOf(groups));
    return () => {
      unbind();
      useShownCommands.setState(({ groups: all }) => ({
        groups: all.filter((group) => !groups.includes(group)),
      }));
    };
  }, [groups]);
}

const bindingsOf = (groups: readonly CommandGroup[]) =>
  Object.fromEntries(
    groups.flatMap(({ commands }) =>
      commands.flatMap(({ keys = [], countsAt = isFree, act }) =>
        keys.map((key) => {
          const press = (event: KeyboardEvent) => {
            if (!countsAt(event.target as HTMLElement)) return;
            event.preventDefault();
            act(event);
          };
          return [key, press] as const;
        }),
      ),
    ),
  );
