import type { Json } from '@pawl/dag-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RoleNote } from '../../access/role-note.tsx';
import { api } from '../../api/client.ts';
import { FlowPreview, isDrawable, type NodeMark } from '../../graph/flow-preview.tsx';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import pill from '../../ui/status-pill.module.css';
import { DifferenceList } from './difference-list.tsx';
import { differencesOf, saveDraft, useDocument } from './flow-documents.ts';
import { PublishDialog } from './publish-dialog.tsx';
import { RestoreDialog } from './restore-dialog.tsx';
import { StartDialog } from './start-dialog.tsx';
import css from './versions-screen.module.css';

/** The versions of a flow, newest first, below the draft: each can be looked at, compared and restored. */
export function VersionsScreen() {
  const { t, i18n } = useTranslation();
  const { flow } = useParams({ from: '/flows/$flow/versions' });
  const view = useSearch({ from: '/flows/$flow/versions' });
  const navigate = useNavigate({ from: '/flows/$flow/versions' });
  const [open, setOpen] = useState<'publish' | 'restore' | 'start'>();
  const draft = useQuery({
    queryKey: ['flow', flow],
    queryFn: ({ signal }) => api.getFlow({ params: { flow }, signal }),
    // The canvas may have saved since.
    staleTime: 0,
  });
  const versions = useQuery({
    queryKey: ['versions', flow],
    queryFn: ({ signal }) => api.listVersions({ params: { flow }, signal }),
  });
  const items = versions.data?.items ?? [];
  const shown = useDocument(flow, view.version ?? 'draft', draft.data?.document);
  const against = useDocument(flow, view.against, draft.data?.document);
  const diff = useMemo(() => differencesOf(against.data, shown.data), [against.data, shown.data]);
  const marks = useMemo(() => {
    const words = (mark: NodeMark) => ({ mark, words: t(`versions.changes.${mark}`) });
    return new Map(diff?.nodes.map(({ id, change }) => [id, words(change)]));
  }, [diff, t]);
  const [former, setFormer] = useState<{ readonly document: Json; readonly number: number }>();
  const putBack = useMutation({
    mutationFn: async (document: Json) => saveDraft(flow, draft.data!.revision, document),
    onSuccess: () => setFormer(undefined),
  });
  if (draft.isError)
    return (
      <Page title={flow}>
        <p role="alert">{draft.error.message}</p>
        <Link to="/flows">{t('state.toFlows')}</Link>
      </Page>
    );
  const chosen = items.find(({ id }) => id === view.version);
  const published = draft.data?.publishedVersion;
  const close = () => setOpen(undefined);
  return (
    <Page
      title={
        <span className={css.crumbs}>
          <Link to="/flows">{t('flows.title')}</Link> /{' '}
          <Link to="/flows/$flow" params={{ flow }}>
            {draft.data?.title ?? flow}
          </Link>{' '}
          / {t('versions.list')}
        </span>
      }
      isBare
      actions={
        <>
          {published !== undefined && (
            <Button needs="operator" onClick={() => setOpen('start')}>
              {t('versions.run')}
            </Button>
          )}
          {chosen ? (
            <Button needs="editor" onClick={() => setOpen('restore')}>
              {t('versions.restore')}
            </Button>
          ) : (
            <Button look="primary" needs="editor" disabled={!draft.data} onClick={() => setOpen('publish')}>
              {t('versions.publish')}
            </Button>
          )}
        </>
      }
    >
      <div className={css.screen}>
        <nav className={css.list} aria-label={t('versions.title', { flow })}>
          <Link
            to="/flows/$flow/versions"
            params={{ flow }}
            search={{ against: view.against === 'draft' ? undefined : view.against }}
            activeOptions={{ exact: true, includeSearch: true }}
            className={css.version}
            aria-current={view.version === undefined ? 'true' : undefined}
          >
            <strong>{t('versions.draft')}</strong>
            {draft.data && (
              <span className={css.when}>
                {dateIn(i18n.language, draft.data.updatedAt)} ·{' '}
                {t('versions.revision', { revision: draft.data.revision })}
              </span>
            )}
          </Link>
          {versions.isSuccess && items.length === 0 && <p className={css.none}>{t('versions.none')}</p>}
          {items.map(({ id, number, createdAt }, at) => (
            <Link
              key={id}
              to="/flows/$flow/versions"
              params={{ flow }}
              search={{ version: id, against: items[at + 1]?.id }}
              activeOptions={{ exact: true, includeSearch: true }}
              className={css.version}
              aria-current={view.version === id ? 'true' : undefined}
            >
              <strong>{t('versions.number', { number })}</strong>
              {id === published && (
                <span className={`${pill.pill} ${pill.ok}`}>{t('versions.published')}</span>
              )}
              <span className={css.when}>
                {dateIn(i18n.language, createdAt)} · <code>{id.slice(0, 8)}</code>
              </span>
            </Link>
          ))}
        </nav>
        <div className={css.graph}>
          {former && (
            <p className={css.notice} role="status">
              {t('versions.restored', { number: former.number })}
              <Button disabled={putBack.isPending} onClick={() => putBack.mutate(former.document)}>
                {t('versions.putBack')}
              </Button>
              {putBack.error?.message}
            </p>
          )}
          {shown.isError && <p role="alert">{shown.error.message}</p>}
          {isDrawable(shown.data) ? (
            <FlowPreview
              key={view.version ?? 'draft'}
              document={shown.data}
              marks={marks}
              label={t('versions.graph')}
            />
          ) : (
            shown.data !== undefined && <p className={css.none}>{t('versions.unfinished')}</p>
          )}
        </div>
        <aside className={css.side} aria-label={t('versions.differences')}>
          <RoleNote needs="editor">{t('access.onlyLook')}</RoleNote>
          <label className={css.against}>
            {t('versions.against')}
            <select
              value={view.against ?? ''}
              onChange={({ target }) =>
                void navigate({ search: (before) => ({ ...before, against: target.value || undefined }) })
              }
            >
              <option value="">{t('versions.nothing')}</option>
              {view.version !== undefined && <option value="draft">{t('versions.draft')}</option>}
              {items
                .filter(({ id }) => id !== view.version)
                .map(({ id, number }) => (
                  <option key={id} value={id}>
                    {t('versions.number', { number })}
                  </option>
                ))}
            </select>
          </label>
          {against.isError && <p role="alert">{against.error.message}</p>}
          {diff && <DifferenceList diff={diff} />}
          <a
            href={`/v1/flows/${encodeURIComponent(flow)}/export${view.version ? `?version=${view.version}` : ''}`}
            download={`${flow}.json`}
          >
            {t('versions.export')}
          </a>
        </aside>
      </div>
      {open === 'start' && published !== undefined && (
        <StartDialog flow={flow} version={published} onClose={close} />
      )}
      {open === 'publish' && draft.data && (
        <PublishDialog
          flow={flow}
          draft={draft.data.document}
          onPublished={(version) =>
            void navigate({ search: { version, against: published === version ? undefined : published } })
          }
          onClose={close}
        />
      )}
      {open === 'restore' && chosen && draft.data && isDrawable(shown.data) && (
        <RestoreDialog
          number={chosen.number}
          diff={differencesOf(draft.data.document, shown.data)}
          restore={async () => {
            await saveDraft(flow, draft.data.revision, shown.data as unknown as Json);
            setFormer({ document: draft.data.document, number: chosen.number });
            close();
            await navigate({ search: {} });
          }}
          onClose={close}
        />
      )}
    </Page>
  );
}

const dateIn = (language: string, instant: string): string =>
  new Date(instant).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
