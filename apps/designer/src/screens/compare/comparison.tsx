import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeftRight } from 'lucide-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import type { RunValues } from '../../run/run-values.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import css from './comparison.module.css';
import { ComparisonGraph } from './comparison-graph.tsx';
import { ComparisonTable } from './comparison-table.tsx';
import { ComparisonTotals } from './comparison-totals.tsx';
import { PairDetail } from './pair-detail.tsx';
import { type Compared, useComparison } from './use-comparison.ts';

/** Two runs: totals, the graph of both versions with where they part, each node run, and one of them in detail. */
export function Comparison({ left, right }: { readonly left: string; readonly right: string }) {
  const { t } = useTranslation();
  const { select } = useSearch({ from: '/compare' });
  const navigate = useNavigate({ from: '/compare' });
  const { compared, refused, flows, isOpen } = useComparison(left, right);
  const numbers = useVersionNumbers(compared);
  const choose = useCallback(
    (path: string) => void navigate({ search: (before) => ({ ...before, select: path }), replace: true }),
    [navigate],
  );
  const problem = refused ?? (flows && t('compare.otherFlow', { left: flows[0], right: flows[1] }));
  if (problem !== undefined || !compared)
    return (
      <Page title={t('compare.title')}>
        {problem === undefined ? <p>{t('state.loading')}</p> : <p role="alert">{problem}</p>}
        {problem !== undefined && (
          <Link to="/compare" search={flows ? { left } : {}}>
            {t('compare.chooseOthers')}
          </Link>
        )}
      </Page>
    );
  const { comparison } = compared;
  const shown = comparison.byPath.get(select ?? '') ?? comparison.first ?? comparison.pairs[0];
  const { document } = compared.left.history.graph;
  return (
    <Page
      isBare
      title={
        <span className={css.crumbs}>
          <Link to="/compare">{t('compare.title')}</Link> / {document.title ?? document.name}
        </span>
      }
      actions={
        <>
          {isOpen && (
            <span role="status" className={css.note}>
              {t('compare.stillOpen')}
            </span>
          )}
          <Link to="/compare" search={{ left }} className={css.other}>
            {t('compare.otherRight')}
          </Link>
          <Button
            onClick={() =>
              void navigate({
                search: (before) => ({ ...before, left: right, right: left, select: undefined }),
              })
            }
          >
            <ArrowLeftRight size={14} aria-hidden="true" /> {t('compare.swap')}
          </Button>
        </>
      }
    >
      <div className={css.screen}>
        <ComparisonTotals compared={compared} runs={{ left, right }} versions={numbers} onSelect={choose} />
        <ComparisonGraph compared={compared} selected={shown} onSelect={choose} />
        <ComparisonTable compared={compared} selected={shown?.path} onSelect={choose} />
        {shown && <PairDetail key={shown.path} compared={compared} runs={{ left, right }} pair={shown} />}
      </div>
    </Page>
  );
}

/** The numbers of the versions that the runs are of; undefined until they are known. */
function useVersionNumbers(compared: Compared | undefined) {
  const flow = compared?.left.history.graph.document.name;
  const { data } = useQuery({
    queryKey: ['versions', flow],
    queryFn: ({ signal }) => api.listVersions({ params: { flow: flow! }, signal }),
    enabled: flow !== undefined,
  });
  const numberOf = (values: RunValues | undefined) => {
    const admitted = values?.history.events[0];
    return admitted?.type === 'run.admitted'
      ? data?.items.find(({ id }) => id === admitted.data.versionId)?.number
      : undefined;
  };
  return { left: numberOf(compared?.left), right: numberOf(compared?.right) };
}
