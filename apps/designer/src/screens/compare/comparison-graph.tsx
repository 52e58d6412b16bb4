import type { EdgeConfig, NodeConfig } from '@pawl/dag-core';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { NodeRunPair } from '../../comparing-runs/compare-runs.ts';
import { type NodeMark, nodeMarks, pairOfNode } from '../../comparing-runs/node-marks.ts';
import { unionFlow } from '../../comparing-runs/union-flow.ts';
import type { Dress } from '../../graph/dress.ts';
import { FlowGraph } from '../../graph/flow-graph.tsx';
import type { Look } from '../../graph/status.ts';
import css from './comparison-graph.module.css';
import type { Compared } from './use-comparison.ts';

/** Colour and shape of each mark. */
const LOOKS: Readonly<Record<NodeMark, Look>> = {
  first: { tone: 'fail', sign: '⚑' },
  same: { tone: 'ok', sign: '=' },
  changed: { tone: 'degraded', sign: '≠' },
  left: { tone: 'run', sign: '◀' },
  right: { tone: 'wait', sign: '▶' },
};
const MARKS = Object.keys(LOOKS) as NodeMark[];

/** What either version draws, each node as it fared; where the runs part is lit. */
export function ComparisonGraph({
  compared: { left, right, comparison },
  selected,
  onSelect,
}: {
  readonly compared: Compared;
  readonly selected: NodeRunPair | undefined;
  readonly onSelect: (path: string) => void;
}) {
  const { t } = useTranslation();
  const [was, is] = [left.history.graph.document, right.history.graph.document];
  const document = useMemo(() => unionFlow(was, is, comparison.renames), [was, is, comparison.renames]);
  const marks = useMemo(() => nodeMarks(comparison), [comparison]);
  const dressOf = useCallback(
    (node: NodeConfig): Dress => {
      const mark = marks.get(node.id);
      const words = t(mark ? `compare.marks.${mark}` : 'compare.marks.none');
      return {
        label: `${node.title ?? node.id}, ${words}`,
        look: mark && LOOKS[mark],
        note: words,
        className: mark === 'first' ? css.first : undefined,
        isSkipped: mark === undefined,
      };
    },
    [marks, t],
  );
  const classOfEdge = useCallback(
    ({ from, to }: EdgeConfig) => {
      const [source, target] = [marks.get(from), marks.get(to)];
      return source === 'same' && target === 'same' ? css.same : undefined;
    },
    [marks],
  );
  return (
    <section className={css.graph} aria-label={t('compare.graph')}>
      <ul className={css.legend}>
        {MARKS.map((mark) => (
          <li key={mark}>
            <span className={css[LOOKS[mark].tone]} aria-hidden="true">
              {LOOKS[mark].sign}
            </span>{' '}
            {t(`compare.marks.${mark}`)}
          </li>
        ))}
      </ul>
      <FlowGraph
        document={document}
        dressOf={dressOf}
        classOfEdge={classOfEdge}
        selected={selected?.nodeId}
        onSelect={(id) => {
          const path = pairOfNode(comparison, id);
          if (path !== undefined) onSelect(path);
        }}
      />
    </section>
  );
}
