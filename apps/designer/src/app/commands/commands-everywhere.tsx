import { Suspense, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Command, type CommandGroup, useCommands } from '../../commands/commands.ts';
import { later } from '../../ui/later.tsx';
import { useOverlay } from './overlay.ts';

const CommandPalette = later(async () => (await import('./command-palette.tsx')).CommandPalette);
const KeyHelp = later(async () => (await import('./key-help.tsx')).KeyHelp);

/** What can be done on every screen, and what shows it: all commands by name, and the keys of the screen. */
export function CommandsEverywhere() {
  const { t } = useTranslation();
  const shown = useOverlay((state) => state.shown);
  const [chosen, setChosen] = useState<Command>();
  useCommands(
    useMemo(
      (): CommandGroup[] => [
        {
          title: t('commands.everywhere'),
          commands: [
            {
              id: 'commands',
              words: t('commands.open'),
              keys: ['$mod+KeyK'],
              countsAt: (target) => target.closest('[role="dialog"]') === null,
              isKeysOnly: true,
              act: () => useOverlay.setState({ shown: 'commands' }),
            },
            {
              id: 'keys',
              words: t('commands.keys'),
              keys: ['Shift+?', '?'],
              act: () => useOverlay.setState({ shown: 'keys' }),
            },
          ],
        },
      ],
      [t],
    ),
  );
  // When the palette is gone and the focus is back where it was: what was chosen may move it on.
  useEffect(() => {
    if (shown !== undefined || !chosen) return;
    const timer = setTimeout(() => {
      setChosen(undefined);
      chosen.act();
    });
    return () => clearTimeout(timer);
  }, [shown, chosen]);
  const close = () => useOverlay.setState({ shown: undefined });
  const choose = (command: Command) => {
    setChosen(command);
    close();
  };
  return (
    <Suspense>
      {shown === 'commands' && <CommandPalette onChoose={choose} onClose={close} />}
      {shown === 'keys' && <KeyHelp onClose={close} />}
    </Suspense>
  );
}
