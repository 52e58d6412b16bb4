import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommands } from '../../commands/commands.ts';
import type { ShownRun } from '../../run/shown-runs.ts';
import { stepIn, stepOut } from '../../run/step.ts';
import { useLatest } from '../../ui/use-latest.ts';

/** The keys of a run: into a container or sub-flow, which opens it, and out of it, as on the canvas. */
export function useRunCommands(
  root: ShownRun,
  selected: string,
  onSelect: (way: string) => void,
  onFold: (run: ShownRun, path: string, to: 'open' | 'closed') => void,
): void {
  const { t } = useTranslation();
  const goIn = useLatest(() => {
    const step = stepIn(root, selected);
    if (step && 'open' in step) onFold(step.open.run, step.open.path, 'open');
    else if (step) onSelect(step.select);
  });
  const goOut = useLatest(() => {
    const out = stepOut(root, selected);
    if (out !== undefined) onSelect(out);
  });
  useCommands(
    useMemo(
      () => [
        {
          title: t('run.title'),
          commands: [
            {
              id: 'in',
              words: t('commands.canvas.in'),
              keys: ['PageDown'],
              isKeysOnly: true,
              act: () => goIn(),
            },
            {
              id: 'out',
              words: t('commands.canvas.out'),
              keys: ['PageUp'],
              isKeysOnly: true,
              act: () => goOut(),
            },
          ],
        },
      ],
      [t, goIn, goOut],
    ),
  );
}
