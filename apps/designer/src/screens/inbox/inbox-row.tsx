import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EffectBadge } from '../../graph/effect-badge.tsx';
import type { InboxItem } from '../../inbox/question.ts';
import { duration } from '../../ui/amounts.ts';
import css from './inbox-screen.module.css';
import { KindSign } from './kind-sign.tsx';

/** One question in the list: what it is about, where, how old, and what happens by itself. */
export function InboxRow({
  item,
  isOpen,
  now,
}: {
  readonly item: InboxItem;
  readonly isOpen: boolean;
  readonly now: number;
}) {
  const { t } = useTranslation();
  const left = item.until === undefined ? undefined : Date.parse(item.until) - now;
  return (
    <li>
      <Link
        to="/inbox"
        search={(before) => ({ ...before, question: item.question })}
        className={css.row}
        aria-current={isOpen || undefined}
      >
        <KindSign kind={item.kind} />
        <span className={css.subject}>{item.subject}</span>
        <span className={css.about}>
          <span className={css.where} title={`${item.flow} · ${item.path}`}>
            {item.flow} · {item.path}
          </span>
          {item.effect && item.effect.effect !== 'model' && <EffectBadge effect={item.effect.effect} />}
          <span className={css.age}>{t('inbox.age', { age: duration(now - Date.parse(item.since)) })}</span>
        </span>
        {left !== undefined && (
          <span className={css.deadline}>
            {t('inbox.left', {
              left: duration(left),
              outcome: t(`inbox.onDeadline.${item.onDeadline ?? 'fail'}`),
            })}
          </span>
        )}
      </Link>
    </li>
  );
}
