import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { tinykeys } from 'tinykeys';
import { INBOX_KINDS, type InboxItem, type InboxKindWord } from '../../inbox/question.ts';
import { useInbox } from '../../inbox/use-inbox.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { InboxRow } from './inbox-row.tsx';
import css from './inbox-screen.module.css';
import { Question } from './question.tsx';

/** What waits for a person: the list, and the question that is open; what is filtered and open is in the address. */
export function InboxScreen() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/inbox' });
  const navigate = useNavigate({ from: '/inbox' });
  const inbox = useInbox(search);
  const items = inbox.data?.pages.flatMap((page) => page.items) ?? [];
  const place = items.findIndex(({ question }) => question === search.question);
  // Once it is answered, its place in the list is taken by the next one.
  const lastPlace = useRef(0);
  if (place >= 0) lastPlace.current = place;
  const next = place >= 0 ? items[place + 1] : items[Math.min(lastPlace.current, items.length - 1)];
  const open = (question: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, question }), replace: search.question !== undefined });
  useSteps((step) => {
    const to: InboxItem | undefined = place < 0 ? (step > 0 ? next : items.at(-1)) : items[place + step];
    if (to) open(to.question);
  });
  const toggle = (kind: InboxKindWord) =>
    void navigate({
      search: (before) => {
        const chosen = before.kind ?? [];
        const kinds = chosen.includes(kind) ? chosen.filter((one) => one !== kind) : [...chosen, kind];
        return { ...before, kind: kinds.length > 0 ? kinds : undefined };
      },
    });
  const isFiltered = search.kind !== undefined || search.flow !== undefined || search.who !== undefined;
  return (
    <Page title={t('rail.inbox')} isBare>
      <div className={css.screen} data-open={search.question !== undefined || undefined}>
        <section className={css.side} aria-label={t('inbox.waiting')}>
          <div className={css.filters} role="group" aria-label={t('inbox.filters')}>
            {INBOX_KINDS.map((kind) => (
              <button
                key={kind}
                type="button"
                className={css.chip}
                aria-pressed={search.kind?.includes(kind) ?? false}
                onClick={() => toggle(kind)}
              >
                {t(`inbox.kinds.${kind}`)}
              </button>
            ))}
            <button
              type="button"
              className={css.chip}
              aria-pressed={search.who === 'mine'}
              title={t('inbox.mineHint')}
              onClick={() =>
                void navigate({
                  search: (before) => ({ ...before, who: before.who === 'mine' ? undefined : 'mine' }),
                })
              }
            >
              {t('inbox.mine')}
            </button>
            {search.flow !== undefined && (
              <Button onClick={() => void navigate({ search: (before) => ({ ...before, flow: undefined }) })}>
                {t('inbox.onlyFlow', { flow: search.flow })}
              </Button>
            )}
          </div>
          {inbox.isPending && <p className={css.empty}>{t('state.loading')}</p>}
          {inbox.isError && (
            <p className={css.empty} role="alert">
              {inbox.error.message}
            </p>
          )}
          {inbox.isSuccess && items.length === 0 && (
            <div className={css.empty}>
              <p>{isFiltered ? t('inbox.noneFound') : t('inbox.none')}</p>
              {isFiltered && (
                <Button onClick={() => void navigate({ search: ({ question }) => ({ question }) })}>
                  {t('runs.clear')}
                </Button>
              )}
            </div>
          )}
          <ul className={css.list} aria-label={t('inbox.waiting')}>
            {items.map((item) => (
              <InboxRow
                key={item.question}
                item={item}
                isOpen={item.question === search.question}
                now={inbox.dataUpdatedAt}
              />
            ))}
          </ul>
          {inbox.hasNextPage && (
            <Button className={css.more} onClick={() => void inbox.fetchNextPage()}>
              {t('inbox.more')}
            </Button>
          )}
        </section>
        <div className={css.main}>
          {search.question === undefined ? (
            <p className={css.choose}>{items.length > 0 && t('inbox.choose')}</p>
          ) : (
            <Question
              key={search.question}
              question={search.question}
              onBack={() => open(undefined)}
              onNext={next && (() => open(next.question))}
            />
          )}
        </div>
      </div>
    </Page>
  );
}

/** `j` and `k` go on and back, except where something is typed. */
function useSteps(step: (by: 1 | -1) => void): void {
  const latest = useRef(step);
  latest.current = step;
  useEffect(() => {
    const by = (steps: 1 | -1) => (event: KeyboardEvent) => {
      const { target } = event;
      if (
        target instanceof HTMLElement &&
        target.matches('input:not([type="radio"], [type="checkbox"]), textarea, select')
      )
        return;
      latest.current(steps);
    };
    return tinykeys(window, { j: by(1), k: by(-1) });
  }, []);
}
