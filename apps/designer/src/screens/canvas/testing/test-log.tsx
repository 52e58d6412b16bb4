import type { RecordedEvent } from '@pawl/dag-core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useEditing, useEditingStore } from '../../../canvas/editing.ts';
import { findNode } from '../../../editor/index.ts';
import { NODE_RUN_LOOKS } from '../../../graph/status.ts';
import type { RunFeed } from '../../../run/feed.ts';
import type { NodeRunHistory } from '../../../run/history.ts';
import { nodeRunsIn } from '../../../testing/marks.ts';
import { isTooLargeToPin, pinOf } from '../../../testing/pin.ts';
import { duration } from '../../../ui/amounts.ts';
import { JsonView } from '../../../ui/json-view.tsx';
import { useFeedState } from '../../run/use-feed.ts';
import { PinButton, UnpinButton } from './pin-actions.tsx';
import css from './test-log.module.css';

/** Most node runs that are listed; the page of the run has them all. */
const SHOWN = 200;

/** The node runs of the test that is shown, as they were reached; one of them is opened. */
export function TestLog({ runId, feed }: { readonly runId: string; readonly feed: RunFeed }) {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const document = useEditing(({ history }) => history.document);
  const { history } = useFeedState(feed);
  const [open, setOpen] = useState<string>();
  const nodeRuns = history ? failuresFirst(nodeRunsIn(history)) : [];
  return (
    <section className={css.log} aria-label={t('testing.log')}>
      <h2>{t('testing.log')}</h2>
      <ol>
        {nodeRuns.slice(0, SHOWN).map((nodeRun) => {
          const { path, nodeId, moments } = nodeRun;
          const { status, given } = moments.at(-1)!;
          const look = NODE_RUN_LOOKS[status];
          return (
            <li key={path}>
              <button
                type="button"
                className={`${css.entry} ${given ? css.given : ''}`}
                aria-expanded={open === path}
                onClick={() => {
                  setOpen(open === path ? undefined : path);
                  if (findNode(document, nodeId)) editing.getState().select([nodeId]);
                }}
              >
                <span className={css[look.tone]} aria-hidden="true">
                  {look.sign}
                </span>
                <span className={css.name}>{findNode(document, nodeId)?.node.title ?? nodeId}</span>
                {path !== nodeId && <code>{path}</code>}
                <span className={css.note}>
                  {given ? t(`testing.given.${given.origin}`) : t(`nodeRunStatus.${status}`)}
                </span>
                <span className={css.took}>{tookOf(nodeRun)}</span>
              </button>
              {open === path && <Entry runId={runId} nodeRun={nodeRun} />}
            </li>
          );
        })}
      </ol>
      {nodeRuns.length > SHOWN && <p>{t('testing.more', { count: nodeRuns.length - SHOWN })}</p>}
    </section>
  );
}

/** As they were reached, but for what failed: that is never out of sight. */
function failuresFirst(nodeRuns: readonly NodeRunHistory[]): NodeRunHistory[] {
  const hasFailed = ({ moments }: NodeRunHistory) => moments.at(-1)!.status === 'failed';
  return [...nodeRuns.filter(hasFailed), ...nodeRuns.filter((each) => !hasFailed(each))];
}

/** What a node run gave, or why it failed; what it gave can be kept with its node. */
function Entry({ runId, nodeRun }: { readonly runId: string; readonly nodeRun: NodeRunHistory }) {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const { path, nodeId, events, moments } = nodeRun;
  const { status, given } = moments.at(-1)!;
  const isDone = status === 'succeeded';
  const { data } = useQuery({
    queryKey: ['node-run', runId, path, moments.at(-1)!.seq],
    queryFn: ({ signal }) => api.getNodeRun({ params: { runId }, query: { path }, signal }),
    enabled: isDone,
  });
  const failed = events.findLast((event): event is Failed => event.type === 'outcome.failed');
  const output = data?.output;
  return (
    <div className={css.open}>
      {failed && !isDone && <p role="alert">{failed.data.failure.message}</p>}
      {given?.runId && (
        <Link to="/runs/$runId" params={{ runId: given.runId }} search={{ select: given.path }}>
          {t('testing.recordedBy', { run: given.runId.slice(-8) })}
        </Link>
      )}
      {output !== undefined && <JsonView value={output} label={t('run.output')} />}
      {output !== undefined && (
        <div className={css.actions}>
          <PinButton
            node={nodeId}
            isTooLarge={isTooLargeToPin(output)}
            onPin={() =>
              editing.getState().perform({ do: 'setLook', ids: [nodeId], pin: pinOf(output, events) })
            }
          />
          <UnpinButton node={nodeId} />
        </div>
      )}
    </div>
  );
}

type Failed = Extract<RecordedEvent, { type: 'outcome.failed' }>;

/** From when it was first ready to when it last changed. */
function tookOf({ moments }: NodeRunHistory): string {
  const [first, last] = [moments[0]!, moments.at(-1)!];
  return first === last ? '' : duration(last.at - first.at);
}
