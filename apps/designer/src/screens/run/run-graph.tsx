import type { ToolInfo } from '@pawl/api';
import { type EdgeConfig, type FlowDocument, itemPath, type NodeConfig, parsePath } from '@pawl/dag-core';
import { useCallback, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { everyNode, type GraphPath } from '../../editor/index.ts';
import { worstTool } from '../../graph/agent-calls.tsx';
import type { Dress } from '../../graph/dress.ts';
import { FlowGraph } from '../../graph/flow-graph.tsx';
import { NODE_RUN_LOOKS } from '../../graph/status.ts';
import { useStatusWords } from '../../graph/use-status-words.ts';
import { openedFlow } from '../../run/opened-flow.ts';
import { everyRun, type ShownRun, subFlowAt } from '../../run/shown-runs.ts';
import { endOfWay, joinWay } from '../../run/ways.ts';
import { shownStatus } from '../../run/work.ts';
import css from './run-graph.module.css';

/** The graph of a run's version, each node as it stood at the cursor, and inside each sub-flow that is open that of its run. */
export function RunGraph({
  root,
  tools,
  selected,
  onSelect,
  onFold,
}: {
  readonly root: ShownRun;
  readonly tools: ReadonlyMap<string, ToolInfo>;
  /** Way of the node run that is looked at. */
  readonly selected: string;
  readonly onSelect: (way: string) => void;
  /** Opens or closes the sub-flow of a node run. */
  readonly onFold: (run: ShownRun, path: string, to: 'open' | 'closed') => void;
}) {
  const { t } = useTranslation();
  const words = useStatusWords();
  const drawn = useMemo(() => new Map([...everyRun(root)].map((run) => [run.place, run])), [root]);
  const document = useOpened(root);
  const dressOf = useCallback(
    (node: NodeConfig, graph: GraphPath): Dress => {
      const title = node.title ?? node.id;
      const found = runDrawn(drawn, node.id, graph);
      if (!found) return { label: title };
      const { history, seq, work, shown, subs } = found.run;
      const path = shown.pathOf(found.id, found.graph);
      const moment = history.nodeRunAt(path, seq);
      const shownAs = moment && shownStatus(path, moment, work);
      const status = shownAs ? words[shownAs] : t('run.notReached');
      const sub = subs.get(path);
      const isOpen = sub?.place !== undefined;
      return {
        label: `${title}, ${status}`,
        tool: worstTool(node, tools),
        tools,
        look: shownAs && NODE_RUN_LOOKS[shownAs],
        isSkipped: moment?.status === 'skipped',
        isGiven: moment?.given !== undefined,
        note: moment?.items
          ? t('run.items', moment.items)
          : moment?.given
            ? t(`testing.origin.${moment.given.origin}`)
            : isOpen && sub.problem !== undefined
              ? sub.problem
              : isOpen && !sub.run
                ? t('state.loading')
                : moment && status,
        shown: shown.shownIn(path),
        fold: subFlowAt(history, path, seq) && (isOpen ? 'open' : 'closed'),
      };
    },
    [drawn, t, words, tools],
  );
  const classOfEdge = useCallback(
    ({ from, port, to }: EdgeConfig, graph: GraphPath) => {
      const found = runDrawn(drawn, from, graph);
      if (!found) return undefined;
      const edge = { from: found.id, to: endOfWay(to).path, ...(port !== undefined && { port }) };
      return css[edgeTone(found.run, edge, (id) => found.run.shown.pathOf(id, found.graph))];
    },
    [drawn],
  );
  const at = (id: string, graph: GraphPath, act: (run: ShownRun, path: string) => void) => {
    const found = runDrawn(drawn, id, graph);
    if (found) act(found.run, found.run.shown.pathOf(found.id, found.graph));
  };
  return (
    <div className={css.graph}>
      <FlowGraph
        document={document}
        dressOf={dressOf}
        classOfEdge={classOfEdge}
        selected={idOf(root, selected)}
        onSelect={(id, graph) => at(id, graph, (run, path) => onSelect(joinWay(run.way, path)))}
        onPick={(id, graph, index) =>
          at(id, graph, ({ way, history }, path) =>
            onSelect(joinWay(way, itemPath(history.graph.nodes.get(endOfWay(id).path)!, path, index))),
          )
        }
        onFold={(id, graph, to) => at(id, graph, (run, path) => onFold(run, path, to))}
      />
    </div>
  );
}

/** The flow with its agents and sub-flows opened; the same document while the same parts are shown, because a new one is laid out anew. */
function useOpened(root: ShownRun): FlowDocument {
  const before = useRef<{ readonly text: string; readonly document: FlowDocument }>(undefined);
  return useMemo(() => {
    const document = openedFlow(root);
    const versions = [...everyRun(root)].flatMap(({ place, subs }) =>
      place === undefined ? [] : [...subs.values()].map(({ ref }) => ref.versionId),
    );
    const text = [...[...everyNode(document)].map(({ node }) => node.id), ...versions].join();
    if (before.current?.text !== text) before.current = { text, document };
    return before.current.document;
  }, [root]);
}

/** In which run a node that is drawn is, and its id and graph there; undefined for what is drawn no longer. */
function runDrawn(drawn: ReadonlyMap<string | undefined, ShownRun>, id: string, graph: GraphPath) {
  const { run: place, path } = endOfWay(id);
  const run = drawn.get(place);
  const within = graph.map(endOfWay).filter((container) => container.run === place);
  return run && { run, id: path, graph: within.map((container) => container.path) };
}

/** The node that is drawn for a node run; a part of an agent has one of its own. */
function idOf(root: ShownRun, way: string): string | undefined {
  const { run: runWay, path } = endOfWay(way);
  const run = [...everyRun(root)].find((each) => each.way === runWay);
  if (run?.place === undefined) return undefined;
  const { graph, nodeRuns } = run.history;
  const target = parsePath(graph, path);
  const nodeId = nodeRuns.get(path)?.nodeId ?? path;
  const isPart = target?.itemIndex === undefined && target?.node.scope.container?.calls;
  return joinWay(run.place, isPart ? `${nodeId}/${path.slice(path.lastIndexOf('/') + 1)}` : nodeId);
}

function edgeTone(
  { history, seq }: ShownRun,
  { from, port = '', to }: EdgeConfig,
  pathOf: (id: string) => string,
) {
  const source = history.nodeRunAt(pathOf(from), seq)?.status;
  if (source === undefined || !['succeeded', 'failed', 'skipped', 'compensated'].includes(source))
    return 'open';
  const target = history.nodeRunAt(pathOf(to), seq);
  const name = `${from}${port && `:${port}`}->${to}`;
  if (!target || target.deadEdges.includes(name)) return 'dead';
  return port === 'error' ? 'error' : 'live';
}
