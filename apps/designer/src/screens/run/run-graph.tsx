import type { ToolInfo } from '@pawl/api';
import { type EdgeConfig, type FlowDocument, itemPath, type NodeConfig, parsePath } from '@pawl/dag-core';
import { useCallback, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { everyNode, type GraphPath } from '../../editor/index.ts';
import type { Dress } from '../../graph/dress.ts';
import { FlowGraph } from '../../graph/flow-graph.tsx';
import { NODE_RUN_LOOKS } from '../../graph/status.ts';
import { withAgentTurns } from '../../run/agent-turns.ts';
import type { RunHistory } from '../../run/history.ts';
import { ShownPaths } from '../../run/shown-paths.ts';
import { shownStatus, type Work } from '../../run/work.ts';
import css from './run-graph.module.css';

/** The graph of a run's version, each node as it stood after event `seq`. */
export function RunGraph({
  history,
  seq,
  work,
  tools,
  selected,
  onSelect,
}: {
  readonly history: RunHistory;
  readonly seq: number;
  /** What workers hold now; undefined: not known, or of another moment. */
  readonly work?: Work | undefined;
  readonly tools: ReadonlyMap<string, ToolInfo>;
  /** Path of the node run that is looked at. */
  readonly selected: string;
  readonly onSelect: (path: string) => void;
}) {
  const { t } = useTranslation();
  const shown = useMemo(() => new ShownPaths(history, seq, selected), [history, seq, selected]);
  const document = useOpened(history, shown);
  const dressOf = useCallback(
    (node: NodeConfig, graph: GraphPath): Dress => {
      const path = shown.pathOf(node.id, graph);
      const moment = history.nodeRunAt(path, seq);
      const shownAs = moment && shownStatus(path, moment, work);
      const status = shownAs ? t(`nodeRunStatus.${shownAs}`) : t('run.notReached');
      return {
        label: `${node.title ?? node.id}, ${status}`,
        tool: node.kind === 'tool' ? tools.get(node.tool) : undefined,
        look: shownAs && NODE_RUN_LOOKS[shownAs],
        isSkipped: moment?.status === 'skipped',
        isGiven: moment?.given !== undefined,
        note: moment?.items
          ? t('run.items', moment.items)
          : moment?.given
            ? t(`testing.origin.${moment.given.origin}`)
            : moment && status,
        shown: shown.shownIn(path),
      };
    },
    [history, seq, work, shown, t, tools],
  );
  const classOfEdge = useCallback(
    (edge: EdgeConfig, graph: GraphPath) =>
      css[edgeTone(history, seq, edge, (id) => shown.pathOf(id, graph))],
    [history, seq, shown],
  );
  return (
    <div className={css.graph}>
      <FlowGraph
        document={document}
        dressOf={dressOf}
        classOfEdge={classOfEdge}
        selected={idOf(history, selected)}
        onSelect={(id, graph) => onSelect(shown.pathOf(id, graph))}
        onPick={(id, graph, index) =>
          onSelect(itemPath(history.graph.nodes.get(id)!, shown.pathOf(id, graph), index))
        }
      />
    </div>
  );
}

/** The flow with its agents opened; the same document while the same parts are shown, because a new one is laid out anew. */
function useOpened(history: RunHistory, shown: ShownPaths): FlowDocument {
  const before = useRef<{ readonly text: string; readonly document: FlowDocument }>(undefined);
  return useMemo(() => {
    const document = withAgentTurns(history, shown);
    const text = [...everyNode(document)].map(({ node }) => node.id).join();
    if (before.current?.text !== text) before.current = { text, document };
    return before.current.document;
  }, [history, shown]);
}

/** The node that is drawn for a node run; a part of an agent has one of its own. */
function idOf({ graph, nodeRuns }: RunHistory, path: string): string {
  const target = parsePath(graph, path);
  const nodeId = nodeRuns.get(path)?.nodeId ?? path;
  const isPart = target?.itemIndex === undefined && target?.node.scope.container?.calls;
  return isPart ? `${nodeId}/${path.slice(path.lastIndexOf('/') + 1)}` : nodeId;
}

function edgeTone(
  history: RunHistory,
  seq: number,
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
