import type { Json } from '@pawl/dag-core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type NodeRunPair, readingsOfPair, routeOf } from '../../comparing-runs/compare-runs.ts';
import type { NodeRunHistory } from '../../run/history.ts';
import { failureOf, type Reading } from '../../run/run-values.ts';
import { LongValue, type Value } from '../../run/values.ts';
import { size } from '../../ui/amounts.ts';
import css from './pair-detail.module.css';
import { reasonOf } from './reason-of.ts';
import type { Compared } from './use-comparison.ts';
import { ValueDiff } from './value-diff.tsx';

/** One node run in both runs: in a sentence, then what it was given, sent and gave, compared. */
export function PairDetail({
  compared: { left, right, comparison },
  runs,
  pair,
}: {
  readonly compared: Compared;
  readonly runs: { readonly left: string; readonly right: string };
  readonly pair: NodeRunPair;
}) {
  const { t } = useTranslation();
  const { values } = useSearch({ from: '/compare' });
  const navigate = useNavigate({ from: '/compare' });
  const given = useMemo(() => readingsOfPair(pair, left, right, comparison), [pair, left, right, comparison]);
  const { nodeId, path } = pair;
  const titleOf = ({ history }: typeof left) => history.graph.nodes.get(nodeId)?.config.title;
  const title = titleOf(left) ?? titleOf(right) ?? nodeId;
  const outputs = [pair.left && left.outputOf(pair.left.path), pair.right && right.outputOf(pair.right.path)];
  const requests = [
    pair.left && left.requestOf(pair.left.path),
    pair.right && right.requestOf(pair.right.path),
  ];
  const isAgentPart = given.left.some(({ name }) => name === 'request');
  const sides = [
    ['left', pair.left],
    ['right', pair.right],
  ] as const;
  return (
    <article className={css.detail} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <p className={css.note}>{path}</p>
        <p>{reasonOf(t, pair, comparison.changed.has(nodeId))}</p>
      </header>
      <dl className={css.sides}>
        {sides.map(([side, nodeRun]) => (
          <div key={side}>
            <dt>
              {t(`compare.${side}`)}{' '}
              {nodeRun && (
                <Link to="/runs/$runId" params={{ runId: runs[side] }} search={{ select: nodeRun.path }}>
                  {t('compare.openThere')}
                </Link>
              )}
            </dt>
            <dd>{nodeRun ? <SideFacts nodeRun={nodeRun} /> : t('run.notReached')}</dd>
          </div>
        ))}
      </dl>
      <fieldset className={css.views}>
        <legend className={css.hidden}>{t('compare.view')}</legend>
        {(['changes', 'sides'] as const).map((view) => (
          <label key={view}>
            <input
              type="radio"
              name="values"
              checked={(values ?? 'changes') === view}
              onChange={() =>
                void navigate({
                  search: (before) => ({ ...before, values: view === 'sides' ? view : undefined }),
                  replace: true,
                })
              }
            />{' '}
            {t(`compare.views.${view}`)}
          </label>
        ))}
      </fieldset>
      <ValueDiff label={t('run.output')} left={outputs[0]} right={outputs[1]} runs={runs} isOpen />
      {!isAgentPart && (
        <ValueDiff
          label={t('compare.given')}
          left={together(given.left)}
          right={together(given.right)}
          runs={runs}
        />
      )}
      <ValueDiff label={t('run.request')} left={requests[0]} right={requests[1]} runs={runs} />
    </article>
  );
}

function SideFacts({ nodeRun }: { readonly nodeRun: NodeRunHistory }) {
  const { t } = useTranslation();
  const { status, attempt } = nodeRun.moments.at(-1)!;
  const ports = routeOf(nodeRun).filter((port) => port !== '');
  const failure = failureOf(nodeRun);
  const isTried = nodeRun.events.some(({ type }) => type === 'intent.recorded');
  return (
    <>
      {t(`nodeRunStatus.${status}`)}
      {isTried && attempt > 1 && ` · ${t('run.attempt', { attempt })}`}
      {ports.length > 0 && ` · ${t('compare.wentBy', { ports: ports.join(', ') })}`}
      {failure && <span className={css.failure}>{failure.message}</span>}
    </>
  );
}

/** What was read as one value; of what is long its size and how it begins. */
function together(readings: readonly Reading[]): Value | undefined {
  if (readings.length === 0) return undefined;
  const shown = (value: Value | undefined): Json =>
    value instanceof LongValue ? `${size(value.bytes)}: ${value.preview.slice(0, 1_000)} …` : (value ?? null);
  return Object.fromEntries(readings.map(({ name, value }) => [name, shown(value)]));
}
