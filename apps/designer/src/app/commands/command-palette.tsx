import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Command as Box } from 'cmdk';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { type Command, type FoundCommand, useShownCommands } from '../../commands/commands.ts';
import { findNamed, runIdIn } from '../../commands/find-commands.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { PLACES } from '../places.ts';
import css from './commands.module.css';
import { Keys } from './keys.tsx';

/** How many of a group are listed at once; the rest is found by typing. */
const MOST = 8;

/** Everything one can do here or go to, found by typing. */
export function CommandPalette({
  onChoose,
  onClose,
}: {
  readonly onChoose: (command: Command) => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const here = useHere();
  const elsewhere = useElsewhere(typed);
  const groups = [...here, ...elsewhere]
    .map(({ title, items }) => ({ title, items: findNamed(items, typed).slice(0, MOST) }))
    .filter(({ items }) => items.length > 0);
  return (
    <Dialog title={t('commands.title')} onClose={onClose}>
      <Box label={t('commands.title')} shouldFilter={false} loop>
        <Box.Input
          className={css.search}
          value={typed}
          onValueChange={setTyped}
          placeholder={t('commands.search')}
        />
        <Box.List className={css.list}>
          {groups.length === 0 && <p className={css.none}>{t('canvas.noneFound')}</p>}
          {groups.map(({ title, items }) => (
            <Box.Group key={title} heading={title}>
              {items.map((item) => (
                <Box.Item
                  key={item.id}
                  value={`${title} ${item.id}`}
                  className={css.item}
                  onSelect={() => onChoose(item)}
                >
                  <span className={css.words}>{item.words}</span>
                  {item.note && <span className={css.note}>{item.note}</span>}
                  {item.keys && <Keys bindings={item.keys} />}
                </Box.Item>
              ))}
            </Box.Group>
          ))}
        </Box.List>
      </Box>
    </Dialog>
  );
}

interface Group {
  readonly title: string;
  readonly items: readonly FoundCommand[];
}

/** What the screen that is open offers. */
function useHere(): Group[] {
  const groups = useShownCommands((state) => state.groups);
  return useMemo(
    () =>
      groups.map(({ title, commands, more }) => ({
        title,
        items: [...commands.filter(({ isKeysOnly }) => !isKeysOnly), ...(more?.() ?? [])],
      })),
    [groups],
  );
}

/** Screens, flows and runs to go to. */
function useElsewhere(typed: string): Group[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const flows = useQuery({
    queryKey: ['flows'],
    queryFn: ({ signal }) => api.listFlows({ signal }),
  });
  const runs = useQuery({
    queryKey: ['runs', 'newest'],
    queryFn: ({ signal }) => api.listRuns({ query: { limit: 50 }, signal }),
  });
  const toRun = (runId: string) => () => void navigate({ to: '/runs/$runId', params: { runId } });
  const runId = runIdIn(typed);
  const newest = (runs.data?.items ?? []).map(
    ({ id, flow, status }): FoundCommand => ({
      id,
      words: `${flow} ${id.slice(-8)}`,
      also: id,
      note: t(`runStatus.${status}`),
      act: toRun(id),
    }),
  );
  const named = runId !== undefined && !newest.some(({ id }) => id === runId);
  return [
    {
      title: t('commands.places'),
      items: PLACES.map(({ to, name }) => ({
        id: to,
        words: t(`rail.${name}`),
        act: () => void navigate({ to }),
      })),
    },
    {
      title: t('rail.flows'),
      items: (flows.data?.items ?? []).map(
        ({ name, title }): FoundCommand => ({
          id: name,
          words: title ?? name,
          ...(title !== undefined && { also: name, note: name }),
          act: () => void navigate({ to: '/flows/$flow', params: { flow: name } }),
        }),
      ),
    },
    {
      title: t('rail.runs'),
      items: named
        ? [{ id: runId, words: t('commands.openRun', { runId }), also: runId, act: toRun(runId) }]
        : newest,
    },
  ];
}
