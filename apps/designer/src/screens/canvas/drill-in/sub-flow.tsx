import type { FlowDocument, Json, NodeConfig } from '@pawl/dag-core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, useCallback, useContext, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { type FollowedFlow, followFlows, WayEnds } from '../../../canvas/follow-flows.ts';
import { findNode } from '../../../editor/index.ts';
import { worstTool } from '../../../graph/agent-calls.tsx';
import { FlowGraph } from '../../../graph/flow-graph.tsx';
import button from '../../../ui/button.module.css';
import { JsonView } from '../../../ui/json-view.tsx';
import { Page } from '../../../ui/page.tsx';
import { ToolsContext } from '../canvas-node.tsx';
import css from './sub-flow.module.css';
import { isRunsFlow } from './ways-in.ts';

/** The version of a flow that a node runs, to be looked at where the node stands; the way there is in the address and leads back. */
export function SubFlow({
  flow,
  document,
  into,
}: {
  readonly flow: string;
  /** The draft at the beginning of the way. */
  readonly document: FlowDocument;
  readonly into: string;
}) {
  const { t } = useTranslation();
  const steps = into.split('/');
  const way = useQuery({
    queryKey: ['way', document, into],
    queryFn: () => followFlows(api, document, steps),
    retry: (count, error) => !(error instanceof WayEnds) && count < 2,
    structuralSharing: false,
  });
  const shown = way.data?.at(-1);
  return (
    <Page
      isBare
      title={<Crumbs {...{ flow, document, steps }} way={way.data ?? []} />}
      actions={
        shown && (
          <>
            <span className={css.note}>
              {shown.version ? t('drillIn.version', { number: shown.version.number }) : t('drillIn.itself')}
            </span>
            <Link to="/flows/$flow" params={{ flow: shown.flow }} className={button.button}>
              {t('drillIn.edit')}
            </Link>
          </>
        )
      }
    >
      {way.isPending && <p className={css.empty}>{t('state.loading')}</p>}
      {way.error && <Ended error={way.error} />}
      {shown && <Shown key={into} shown={shown} flow={flow} into={into} />}
    </Page>
  );
}

/** The flows on the way, each a way back. */
function Crumbs({
  flow,
  document,
  steps,
  way,
}: {
  readonly flow: string;
  readonly document: FlowDocument;
  readonly steps: readonly string[];
  readonly way: readonly FollowedFlow[];
}) {
  const { t } = useTranslation();
  return (
    <span role="navigation" aria-label={t('drillIn.way')} className={css.crumbs}>
      <Link to="/flows">{t('rail.flows')}</Link>
      <span aria-hidden="true">/</span>
      <Link to="/flows/$flow" params={{ flow }}>
        {document.title ?? flow}
      </Link>
      {steps.map((step, at) => {
        const name = way[at]?.document.title ?? way[at]?.flow ?? step;
        const here = steps.slice(0, at + 1).join('/');
        return (
          <Fragment key={here}>
            <span aria-hidden="true">/</span>
            {at === steps.length - 1 ? (
              <span aria-current="page">{name}</span>
            ) : (
              <Link to="/flows/$flow" params={{ flow }} search={{ into: here }}>
                {name}
              </Link>
            )}
          </Fragment>
        );
      })}
    </span>
  );
}

/** Why nothing can be shown, and where to go instead. */
function Ended({ error }: { readonly error: Error }) {
  const { t } = useTranslation();
  if (!(error instanceof WayEnds)) return <p role="alert">{error.message}</p>;
  const { missing, step, flow } = error;
  return (
    <div className={css.empty}>
      <p role="alert">{t(`drillIn.missing.${missing}`, { step, flow })}</p>
      {flow !== undefined && (
        <Link to="/flows/$flow" params={{ flow }}>
          {t('drillIn.toDraft', { flow })}
        </Link>
      )}
    </div>
  );
}

function Shown({
  shown,
  flow,
  into,
}: {
  readonly shown: FollowedFlow;
  readonly flow: string;
  readonly into: string;
}) {
  const { t } = useTranslation();
  const tools = useContext(ToolsContext);
  const [selected, select] = useState<string>();
  const dressOf = useCallback(
    (node: NodeConfig) => ({
      label: `${node.title ?? node.id}, ${t(`canvas.kinds.${node.kind}`)}`,
      tool: worstTool(node, tools),
      tools,
    }),
    [t, tools],
  );
  const node = selected === undefined ? undefined : findNode(shown.document, selected)?.node;
  return (
    <div className={css.screen}>
      <section className={css.graph} aria-label={t('drillIn.graph')}>
        <FlowGraph document={shown.document} dressOf={dressOf} selected={selected} onSelect={select} />
      </section>
      {node && (
        <aside className={css.side} aria-label={t('drillIn.node')}>
          <h2>{node.title ?? node.id}</h2>
          <p className={css.note}>{t(`canvas.kindHints.${node.kind}`)}</p>
          {isRunsFlow(node) && (
            <Link
              to="/flows/$flow"
              params={{ flow }}
              search={{ into: `${into}/${node.id}` }}
              className={button.button}
            >
              {t('drillIn.open', { flow: node.flow.split('@')[0] })}
            </Link>
          )}
          <JsonView value={settingsOf(node)} label={t('drillIn.settings')} />
        </aside>
      )}
    </div>
  );
}

/** What is set of a node, without what it holds. */
function settingsOf(node: NodeConfig): Json {
  const { body: _, ...settings } = node as NodeConfig & { readonly body?: unknown };
  return settings as unknown as Json;
}
