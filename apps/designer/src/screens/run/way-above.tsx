import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { nameOf } from '../../run/name-of.ts';
import { runAtWay, type ShownRun } from '../../run/shown-runs.ts';
import { endOfWay, joinWay, pathsOf } from '../../run/ways.ts';
import detail from './run-detail.module.css';
import css from './way-above.module.css';

/** The node runs that lead to what is looked at inside a sub-flow, each a way back, and the page of its run. */
export function WayAbove({
  root,
  run,
  path,
  isNow,
  onSelect,
}: {
  readonly root: ShownRun;
  /** The run that it is in. */
  readonly run: ShownRun;
  readonly path: string;
  readonly isNow: boolean;
  readonly onSelect: (way: string) => void;
}) {
  const { t } = useTranslation();
  return (
    <nav className={css.way} aria-label={t('run.wayAbove')}>
      {stepsTo(root, run.way).map(({ way, name }) => (
        <Fragment key={way}>
          <button type="button" onClick={() => onSelect(way)}>
            {name}
          </button>
          <span aria-hidden="true">→</span>
        </Fragment>
      ))}
      <Link
        to="/runs/$runId"
        params={{ runId: run.runId }}
        search={{ select: path, ...(!isNow && { at: run.seq }) }}
        className={css.open}
      >
        {t('run.openSub')}
      </Link>
    </nav>
  );
}

/** Stands where a node run inside a sub-flow would, while its run is not here. */
export function NotHere({
  root,
  way,
  onSelect,
}: {
  readonly root: ShownRun;
  /** Of the node run whose sub-flow is meant. */
  readonly way: string;
  readonly onSelect: (way: string) => void;
}) {
  const { t } = useTranslation();
  const { run: runWay, path } = endOfWay(way);
  const around = runAtWay(root, runWay);
  const sub = around?.subs.get(path);
  if (!around && runWay !== '') return <NotHere root={root} way={runWay} onSelect={onSelect} />;
  const name = nameOf(around!.history, path);
  return (
    <article className={detail.detail} aria-label={name}>
      <h2>{name}</h2>
      {sub?.problem !== undefined ? (
        <p role="alert">{sub.problem}</p>
      ) : (
        <p className={detail.note}>{t(sub ? 'state.loading' : 'run.notReached')}</p>
      )}
      <div>
        <button type="button" className={css.back} onClick={() => onSelect(way)}>
          {t('run.lookAt', { name })}
        </button>
      </div>
    </article>
  );
}

function stepsTo(root: ShownRun, way: string) {
  const steps: { readonly way: string; readonly name: string }[] = [];
  let around = '';
  for (const path of pathsOf(way)) {
    const run = runAtWay(root, around);
    const here = joinWay(around, path);
    if (run) steps.push({ way: here, name: nameOf(run.history, path) });
    around = here;
  }
  return steps;
}
