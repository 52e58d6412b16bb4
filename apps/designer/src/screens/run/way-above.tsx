import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { nameOf } from '../../run/name-of.ts';
import { runAtWay, type ShownRun, type ShownSub } from '../../run/shown-runs.ts';
import { joinWay, pathsOf } from '../../run/ways.ts';
import { Button } from '../../ui/button.tsx';
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
          <button type="button" title={name} onClick={() => onSelect(way)}>
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

/** Stands where a node run inside a sub-flow would, while its run is not here: why, and the way back to what is. */
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
  const steps = stepsTo(root, way);
  const last = steps.findLast(({ sub }) => sub) ?? steps[0]!;
  return (
    <article className={detail.detail} aria-label={last.name}>
      <h2>{last.name}</h2>
      {last.sub?.problem !== undefined ? (
        <p role="alert">{last.sub.problem}</p>
      ) : (
        <p className={detail.note}>{t(last.sub ? 'state.loading' : 'run.notReached')}</p>
      )}
      <div>
        <Button onClick={() => onSelect(last.way)}>{t('run.lookAt', { name: last.name })}</Button>
      </div>
    </article>
  );
}

/** The node runs of a way whose runs are read, the outermost first, with the sub-flow of each. */
function stepsTo(root: ShownRun, way: string) {
  const steps: { readonly way: string; readonly name: string; readonly sub: ShownSub | undefined }[] = [];
  let around = '';
  for (const path of pathsOf(way)) {
    const run = runAtWay(root, around);
    const here = joinWay(around, path);
    if (run) steps.push({ way: here, name: nameOf(run.history, path), sub: run.subs.get(path) });
    around = here;
  }
  return steps;
}
