import type { ModelInfo } from '@pawl/api';
import { Tabs } from 'radix-ui';
import { Suspense, useContext, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditing } from '../../../canvas/editing.ts';
import { innerGraph, type PlacedNode, type Problem } from '../../../editor/index.ts';
import { EffectWords } from '../../../graph/effect-words.tsx';
import type { RecordedReader } from '../../../inspecting/recorded/recorded-reader.ts';
import { ToolsContext } from '../canvas-node.tsx';
import css from '../inspector.module.css';
import { InspectedContext } from './inspecting.ts';
import { RunChoice } from './run-choice.tsx';
import { TABS } from './tabs.ts';
import { useRecentRuns } from './use-recent-runs.ts';

/** What there is to know and to set of one node, in tabs. */
export function NodeInspector({
  found: { node, graph },
  models,
  problems,
  tab,
  reader,
  chosenRun,
  onTab,
  onRun,
}: {
  readonly found: PlacedNode;
  readonly models: readonly ModelInfo[];
  readonly problems: readonly Problem[];
  readonly tab: string;
  readonly reader: RecordedReader;
  /** Absent: the newest. */
  readonly chosenRun: string | undefined;
  readonly onTab: (tab: string) => void;
  readonly onRun: (runId: string) => void;
}) {
  const { t } = useTranslation();
  const document = useEditing(({ history }) => history.document);
  const tools = useContext(ToolsContext);
  const { data: runs = [] } = useRecentRuns(document.name);
  const [item, setItem] = useState(0);
  const runId = chosenRun ?? runs[0]?.id;
  const own = useMemo(() => problems.filter((problem) => problem.node === node.id), [problems, node.id]);
  const inspected = useMemo(
    () => ({ document, node, graph, tools, models, problems: own, record: { reader, runId, item } }),
    [document, node, graph, tools, models, own, reader, runId, item],
  );
  const tool = node.kind === 'tool' ? tools.get(node.tool) : undefined;
  return (
    <InspectedContext value={inspected}>
      <header className={css.head}>
        <h2>{node.title ?? node.id}</h2>
        {tool ? <EffectWords tool={tool} /> : <p>{t(`canvas.kindHints.${node.kind}`)}</p>}
      </header>
      <Tabs.Root value={tab} onValueChange={onTab}>
        <Tabs.List className={css.tabs} aria-label={t('inspector.parts')}>
          {TABS.map(({ id }) => (
            <Tabs.Trigger key={id} value={id}>
              {t(`inspector.tabs.${id}`)}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {tab !== 'history' && (
          <RunChoice
            {...{ runs, runId, item }}
            hasItems={graph.length > 0 || innerGraph(node) !== undefined}
            onRun={onRun}
            onItem={setItem}
          />
        )}
        {TABS.map(({ id, body: Body }) => (
          <Tabs.Content key={id} value={id} tabIndex={-1}>
            <Suspense fallback={<p className={css.none}>{t('state.loading')}</p>}>
              <Body />
            </Suspense>
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </InspectedContext>
  );
}
