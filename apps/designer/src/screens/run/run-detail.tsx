import type { Failure, Json, RecordedEvent } from '@pawl/dag-core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import type { RunFeed } from '../../run/feed.ts';
import type { NodeRunHistory, RunHistory } from '../../run/history.ts';
import { duration } from '../../ui/amounts.ts';
import { Button } from '../../ui/button.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import css from './run-detail.module.css';
import { useText } from './use-feed.ts';

/** One node run as it stood after event `seq`: what it was given, sent, said and cost, and what it waits for. */
export function RunDetail({
  runId,
  feed,
  history,
  seq,
  path,
  onSelect,
}: {
  readonly runId: string;
  readonly feed: RunFeed;
  readonly history: RunHistory;
  readonly seq: number;
  readonly path: string;
  readonly onSelect: (path: string) => void;
}) {
  const { t } = useTranslation();
  const nodeRun = history.nodeRuns.get(path);
  const moment = history.nodeRunAt(path, seq);
  const config = history.graph.nodes.get(nodeRun?.nodeId ?? path)?.config;
  const text = useText(feed, path);
  const title = config?.title ?? config?.id ?? path;
  if (!nodeRun || !moment)
    return (
      <article className={css.detail} aria-label={title}>
        <h2>{title}</h2>
        <p className={css.note}>{t('run.notReached')}</p>
      </article>
    );
  const events = nodeRun.events.filter((event) => event.seq <= seq);
  const { failure } = lastOf(events, 'outcome.failed')?.data ?? {};
  const intent = lastOf(events, 'intent.recorded')?.data;
  const output = lastOf(events, 'outcome.succeeded')?.data as { output?: Json; outputRef?: Json } | undefined;
  return (
    <article className={css.detail} aria-label={title}>
      <h2>{title}</h2>
      <p className={css.note}>
        {path} · {t(`nodeRunStatus.${moment.status}`)}
        {moment.given && ` · ${t(`testing.given.${moment.given.origin}`)}`}
        {moment.attempt > 1 && ` · ${t('run.attempt', { attempt: moment.attempt })}`}
      </p>
      {failure && <FailureCard failure={failure} attempt={moment.attempt} />}
      {seq === history.lastSeq && !history.hasEnded && (
        <WaitsFor runId={runId} path={path} status={moment.status} seq={seq} />
      )}
      {text !== undefined && (
        <section aria-label={t('run.writing')} aria-live="off">
          <h3>{t('run.writing')}</h3>
          <p className={css.stream}>{text}</p>
        </section>
      )}
      <Children history={history} seq={seq} path={path} onSelect={onSelect} />
      {intent && (
        <section>
          <h3>{t('run.sent', { target: intent.target })}</h3>
          <p className={css.note}>
            {t('run.key')} <code>{intent.key}</code>
          </p>
          <JsonView value={intent.request} label={t('run.request')} />
        </section>
      )}
      {output?.output !== undefined && <JsonView value={output.output} label={t('run.output')} />}
      {output?.outputRef !== undefined && <JsonView value={output.outputRef} label={t('run.outputAside')} />}
      <Journal events={events} begin={history.events[0]!.at} />
    </article>
  );
}

/** The class of a failure says what can be done next. */
function FailureCard({ failure, attempt }: { readonly failure: Failure; readonly attempt: number }) {
  const { t } = useTranslation();
  return (
    <section className={css.failure} role="alert">
      <h3>
        {t(`failureClass.${failure.class}`)} · {t('run.attempt', { attempt })}
      </h3>
      <p>{failure.message}</p>
      <p className={css.note}>
        {t(`failureAction.${failure.class}`)} <code>{failure.code}</code>
      </p>
    </section>
  );
}

/** What it waits for, since when and until when, by the server's own word. */
function WaitsFor({
  runId,
  path,
  status,
  seq,
}: {
  readonly runId: string;
  readonly path: string;
  readonly status: string;
  readonly seq: number;
}) {
  const { t, i18n } = useTranslation();
  const isOpen = !['succeeded', 'failed', 'skipped', 'cancelled', 'compensated'].includes(status);
  const { data } = useQuery({
    queryKey: ['node-run', runId, path, seq],
    queryFn: ({ signal }) => api.getNodeRun({ params: { runId }, query: { path }, signal }),
    enabled: isOpen,
  });
  const waiting = data?.waitingFor;
  if (!isOpen || !waiting) return null;
  const time = (instant: string) => new Date(instant).toLocaleTimeString(i18n.language);
  return (
    <p className={css.waits}>
      {t(`waitingFor.${waiting.kind}`)} · {t('run.since', { time: time(waiting.since) })}
      {waiting.until && ` · ${t('run.until', { time: time(waiting.until) })}`}
      {waiting.hint && <span className={css.note}>{waiting.hint}</span>}
    </p>
  );
}

/** Items of a map, turns of a loop or an agent, and what they hold: failures first. */
function Children({
  history,
  seq,
  path,
  onSelect,
}: {
  readonly history: RunHistory;
  readonly seq: number;
  readonly path: string;
  readonly onSelect: (path: string) => void;
}) {
  const { t } = useTranslation();
  const below = childrenOf(history, seq, path);
  if (below.length === 0) return null;
  return (
    <section>
      <h3>{t('run.inside', { count: below.length })}</h3>
      <ul className={css.grid}>
        {below.slice(0, 500).map(({ nodeRun, status }) => (
          <li key={nodeRun.path}>
            <button
              type="button"
              data-status={status}
              title={`${nodeRun.path} · ${t(`nodeRunStatus.${status}`)}`}
              onClick={() => onSelect(nodeRun.path)}
            >
              {nodeRun.path.slice(path.length + 1)}
              <span className={css.hidden}> {t(`nodeRunStatus.${status}`)}</span>
            </button>
          </li>
        ))}
      </ul>
      {below.length > 500 && (
        <p className={css.note}>{t('run.furtherInside', { count: below.length - 500 })}</p>
      )}
    </section>
  );
}

function childrenOf(history: RunHistory, seq: number, path: string) {
  const below = [];
  for (const nodeRun of history.nodeRuns.values()) {
    if (!nodeRun.path.startsWith(`${path}/`) || nodeRun.path.indexOf('/', path.length + 1) >= 0) continue;
    const moment = history.nodeRunAt(nodeRun.path, seq);
    if (moment) below.push({ nodeRun, status: moment.status });
  }
  const rank = ({ status }: { status: string }) => ['failed', 'uncertain'].indexOf(status);
  return below.sort((a, b) => rank(b) - rank(a) || byNumber(a.nodeRun, b.nodeRun));
}

const byNumber = (a: NodeRunHistory, b: NodeRunHistory) =>
  a.path.localeCompare(b.path, 'en', { numeric: true });

function Journal({ events, begin }: { readonly events: readonly RecordedEvent[]; readonly begin: number }) {
  const { t } = useTranslation();
  return (
    <details className={css.journal}>
      <summary>{t('run.journal', { count: events.length })}</summary>
      <ol>
        {events.map(({ seq, at, type, attempt, data }) => (
          <li key={seq}>
            <b>{type}</b>{' '}
            <span className={css.note}>
              #{seq} · {duration(at - begin)} · {t('run.attempt', { attempt })}
            </span>
            <pre>{JSON.stringify(data, undefined, 1).slice(0, 2_000)}</pre>
          </li>
        ))}
      </ol>
    </details>
  );
}

function lastOf<T extends RecordedEvent['type']>(events: readonly RecordedEvent[], type: T) {
  return events.findLast((event) => event.type === type) as Extract<RecordedEvent, { type: T }> | undefined;
}

/** What can be done to a run as a whole. */
export function RunActions({ runId, status }: { readonly runId: string; readonly status: string }) {
  const { t } = useTranslation();
  const params = { runId };
  return (
    <>
      {status === 'paused' && (
        <Button needs="operator" onClick={() => void api.resumeRun({ params })}>
          {t('run.resume')}
        </Button>
      )}
      {['running', 'waiting', 'pending'].includes(status) && (
        <Button needs="operator" onClick={() => void api.pauseRun({ params })}>
          {t('run.pause')}
        </Button>
      )}
      {!['succeeded', 'partial', 'failed', 'cancelled', 'cancelling'].includes(status) && (
        <Button look="danger" needs="operator" onClick={() => void api.cancelRun({ params })}>
          {t('run.cancel')}
        </Button>
      )}
    </>
  );
}
