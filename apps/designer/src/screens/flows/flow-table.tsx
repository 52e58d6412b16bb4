import type { ListedFlow } from '@pawl/api';
import { Link } from '@tanstack/react-router';
import { Ellipsis, Play } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useTranslation } from 'react-i18next';
import { RUN_LOOKS } from '../../graph/status.ts';
import { Button } from '../../ui/button.tsx';
import pill from '../../ui/status-pill.module.css';
import css from './flow-table.module.css';

/** Flows with how their newest runs went, and what can be done with each. */
export function FlowTable({
  flows,
  onStart,
}: {
  readonly flows: readonly ListedFlow[];
  readonly onStart: (flow: string, version: string) => void;
}) {
  const { t } = useTranslation();
  return (
    <table className={css.table} aria-label={t('flows.title')}>
      <thead>
        <tr>
          {(['flow', 'state', 'runs', 'success', 'updated'] as const).map((column) => (
            <th key={column} scope="col" className={css[column]}>
              {t(`flows.columns.${column}`)}
            </th>
          ))}
          <th scope="col">
            <span className={css.unseen}>{t('flows.columns.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {flows.map((flow) => (
          <FlowRow key={flow.name} flow={flow} onStart={onStart} />
        ))}
      </tbody>
    </table>
  );
}

function FlowRow({
  flow,
  onStart,
}: {
  readonly flow: ListedFlow;
  readonly onStart: (flow: string, version: string) => void;
}) {
  const { t, i18n } = useTranslation();
  const { name, title, publishedVersion, pausedAt, pausedBy = '', recent, updatedAt } = flow;
  return (
    <tr>
      <th scope="row" className={css.flow}>
        <Link to="/flows/$flow" params={{ flow: name }} className={css.title} title={title ?? name}>
          {title ?? name}
        </Link>
        {title !== undefined && <span className={css.name}>{name}</span>}
      </th>
      <td>
        <span className={css.badges}>
          {publishedVersion === undefined ? (
            <span className={`${pill.pill} ${pill.skip}`}>{t('flows.draft')}</span>
          ) : (
            <span className={`${pill.pill} ${pill.ok}`}>{t('flows.published')}</span>
          )}
          {pausedAt !== undefined && (
            <span className={`${pill.pill} ${pill.unsure}`} title={t('flows.pausedBy', { by: pausedBy })}>
              {t('flows.paused')}
            </span>
          )}
        </span>
      </td>
      <td className={css.runs}>
        {recent.runs.length === 0 ? (
          <span className={css.none}>{t('flows.neverRan')}</span>
        ) : (
          <span className={css.marks}>
            {recent.runs.toReversed().map(({ id, status }) => {
              const { tone, sign } = RUN_LOOKS[status];
              const label = t('flows.lastRun', { status: t(`runStatus.${status}`), id: id.slice(-8) });
              return (
                <Link
                  key={id}
                  to="/runs/$runId"
                  params={{ runId: id }}
                  className={`${css.mark} ${pill[tone]}`}
                  aria-label={label}
                  title={label}
                >
                  {sign}
                </Link>
              );
            })}
          </span>
        )}
      </td>
      <td className={css.success} title={recent.ended > 0 ? t('flows.rate', recent) : undefined}>
        {recent.ended > 0 ? `${Math.floor((100 * recent.succeeded) / recent.ended)} %` : '–'}
      </td>
      <td className={css.updated}>
        {new Date(updatedAt).toLocaleString(i18n.language, { dateStyle: 'medium', timeStyle: 'short' })}
      </td>
      <td className={css.actions}>
        <Button
          needs="operator"
          disabled={publishedVersion === undefined}
          title={publishedVersion === undefined ? t('flows.publishFirst') : undefined}
          aria-label={t('flows.runFlow', { flow: title ?? name })}
          onClick={() => publishedVersion !== undefined && onStart(name, publishedVersion)}
        >
          <Play size={14} aria-hidden="true" />
          {t('flows.run')}
        </Button>
        <DropdownMenu.Root>
          <DropdownMenu.Trigger asChild>
            <Button look="quiet" aria-label={t('flows.more', { flow: title ?? name })}>
              <Ellipsis size={16} aria-hidden="true" />
            </Button>
          </DropdownMenu.Trigger>
          <DropdownMenu.Portal>
            <DropdownMenu.Content className={css.menu} align="end" sideOffset={4}>
              <DropdownMenu.Item asChild>
                <Link to="/flows/$flow/versions" params={{ flow: name }}>
                  {t('flows.versions')}
                </Link>
              </DropdownMenu.Item>
              <DropdownMenu.Item asChild>
                <a href={`/v1/flows/${encodeURIComponent(name)}/export`} download={`${name}.json`}>
                  {t('flows.export')}
                </a>
              </DropdownMenu.Item>
            </DropdownMenu.Content>
          </DropdownMenu.Portal>
        </DropdownMenu.Root>
      </td>
    </tr>
  );
}
