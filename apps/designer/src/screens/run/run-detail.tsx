import type { ToolInfo } from '@pawl/api';
import { isTerminalNodeRun, type RecordedEvent } from '@pawl/dag-core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { EffectBadge } from '../../graph/effect-badge.tsx';
import { isFailed } from '../../run/cause-of.ts';
import { doubtText } from '../../run/doubt-text.ts';
import { failedIn } from '../../run/failed-in.ts';
import type { RunFeed } from '../../run/feed.ts';
import { nameOf } from '../../run/name-of.ts';
import type { ShownRun } from '../../run/shown-runs.ts';
import { valueIn } from '../../run/values.ts';
import { shownStatus } from '../../run/work.ts';
import { duration, money, short } from '../../ui/amounts.ts';
import { ValueView } from '../../ui/value-view.tsx';
import { ArtifactList } from './artifact-list.tsx';
import { Attempts } from './attempts.tsx';
import { FailureCard } from './failure-card.tsx';
import { GivenValues } from './given-values.tsx';
import { NodeRunChildren } from './node-run-children.tsx';
import css from './run-detail.module.css';
import { SubRun } from './sub-run.tsx';
import { useText } from './use-feed.ts';

/** One node run as it stood at the cursor: what it was given, sent, said and cost, and what it waits for. */
export function RunDetail({
  feed,
  run,
  path,
  isNow: isAtNow,
  tools,
  above,
  onSelect,
  onGo,
  onFold,
}: {
  /** Of its run; undefined: it is not followed yet. */
  readonly feed: RunFeed | undefined;
  readonly run: ShownRun;
  readonly path: string;
  readonly isNow: boolean;
  readonly tools: ReadonlyMap<string, ToolInfo>;
  /** Of what is inside a sub-flow, the way there. */
  readonly above: ReactNode;
  readonly onSelect: (path: string) => void;
  /** Goes to what is inside a sub-flow of it, or around it. */
  readonly onGo: (way: string) => void;
  readonly onFold: (run: ShownRun, path: string, to: 'open' | 'closed') => void;
}) {
  const { runId, history, seq, work } = run;
  const { t } = useTranslation();
  const nodeRun = history.nodeRuns.get(path);
  const moment = history.nodeRunAt(path, seq);
  const config = history.graph.nodes.get(nodeRun?.nodeId ?? path)?.config;
  const text = useText(feed, path);
  const isAboutAnother = ['undo', 'probe', 'poll'].includes(nodeRun?.kind ?? '');
  const title = isAboutAnother ? nameOf(history, path) : (config?.title ?? config?.id ?? path);
  if (!nodeRun || !moment)
    return (
      <article className={css.detail} aria-label={title}>
        {above}
        <h2>{title}</h2>
        <p className={css.note}>{t('run.notReached')}</p>
      </article>
    );
  const events = nodeRun.events.filter((event) => event.seq <= seq);
  const { failure } = lastOf(events, 'outcome.failed')?.data ?? {};
  const outcome = lastOf(events, 'outcome.succeeded');
  const output = outcome && valueIn(outcome, 'output');
  // Containers are taken up again whenever something inside them ended.
  const isTried = failure !== undefined || events.some(({ type }) => type === 'intent.recorded');
  const isNow = isAtNow && !history.hasEnded;
  const tool = config?.kind === 'tool' ? tools.get(config.tool) : undefined;
  return (
    <article className={css.detail} aria-label={title}>
      <header>
        {above}
        <h2>
          {title} {tool && <EffectBadge effect={tool.effect} compensates={tool.compensates} />}
        </h2>
        <p className={css.note}>
          {path} · {t(`nodeRunStatus.${shownStatus(path, moment, work)}`)}
          {moment.given && ` · ${t(`testing.given.${moment.given.origin}`)}`}
          {isTried && moment.attempt > 1 && ` · ${t('run.attempt', { attempt: moment.attempt })}`}
          {moment.tokens > 0 &&
            ` · ${money(moment.costNanoUsd)} · ${t('run.tokens', { tokens: short(moment.tokens) })}`}
        </p>
      </header>
      {failure && moment.status !== 'succeeded' && (
        <FailureCard
          failure={failure}
          attempt={moment.attempt}
          cause={isFailed(moment) ? failedIn(run, path) : undefined}
          onGo={onGo}
        />
      )}
      {moment.status === 'uncertain' && moment.reason && (
        <p className={css.doubt}>{doubtText(t, moment.reason)}</p>
      )}
      {isNow && !isTerminalNodeRun(moment.status) && (
        <WaitsFor runId={runId} path={path} since={moment.seq} />
      )}
      {isNow && moment.question !== undefined && (
        <Link to="/inbox" search={{ question: `${runId}.${moment.question}` }}>
          {t('run.decide')}
        </Link>
      )}
      {text !== undefined && (
        <section aria-label={t('run.writing')} aria-live="off">
          <h3>{t('run.writing')}</h3>
          <p className={css.stream}>{text}</p>
        </section>
      )}
      <NodeRunChildren history={history} seq={seq} path={path} onSelect={onSelect} />
      <SubRun run={run} path={path} onGo={onGo} onFold={onFold} />
      {output !== undefined && <ValueView runId={runId} value={output} label={t('run.output')} />}
      <GivenValues runId={runId} history={history} seq={seq} path={path} />
      <Attempts runId={runId} events={events} />
      {events.some(({ type }) => type === 'artifact.created') && (
        <section>
          <h3>{t('run.artifacts.title')}</h3>
          <ArtifactList runId={runId} path={path} seq={seq} />
        </section>
      )}
      <Journal events={events} begin={history.events[0]!.at} />
    </article>
  );
}

/** How often what a node run waits for is asked again: other node runs can change it. */
const ASK_AGAIN_MS = 5_000;

/** What it waits for, since when and until when, by the server's own word; asked for at once when it stands otherwise. */
function WaitsFor({
  runId,
  path,
  since,
}: {
  readonly runId: string;
  readonly path: string;
  /** Of the event since which it stands so. */
  readonly since: number;
}) {
  const { t, i18n } = useTranslation();
  const { data } = useQuery({
    queryKey: ['node-run', runId, path, since],
    // Its summary: outputs and journal of a node run may be long.
    queryFn: ({ signal }) => api.listNodeRuns({ params: { runId }, query: { path }, signal }),
    refetchInterval: ASK_AGAIN_MS,
  });
  const waiting = data?.items[0]?.waitingFor;
  if (!waiting) return null;
  const time = (instant: string) => new Date(instant).toLocaleTimeString(i18n.language);
  return (
    <p className={css.waits}>
      {t(`waitingFor.${waiting.kind}`)} · {t('run.since', { time: time(waiting.since) })}
      {waiting.until && ` · ${t('run.until', { time: time(waiting.until) })}`}
      {waiting.hint && <span className={css.note}>{waiting.hint}</span>}
    </p>
  );
}

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
