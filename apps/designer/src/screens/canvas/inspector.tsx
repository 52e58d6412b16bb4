import type { ModelInfo } from '@pawl/api';
import { type KeyboardEvent, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditing } from '../../canvas/editing.ts';
import { loadCodeEditor } from '../../code/code-field.tsx';
import { findNode, type Problem } from '../../editor/index.ts';
import { RecordedReader } from '../../inspecting/recorded/recorded-reader.ts';
import { withTexts } from '../../text/texts.ts';
import { later } from '../../ui/later.tsx';
import { FlowSettings } from './inspector/flow-settings.tsx';
import css from './inspector.module.css';
import { focusSelected } from './showing.ts';

const loadNode = async () =>
  (await withTexts('inspector', import('./inspector/node-inspector.tsx'))).NodeInspector;
const NodeInspector = later(loadNode);

/** What there is to know and to set of the node that is selected; with none, of the flow. */
export function Inspector({
  models,
  problems,
}: {
  readonly models: readonly ModelInfo[];
  readonly problems: readonly Problem[];
}) {
  const { t } = useTranslation();
  const document = useEditing(({ history }) => history.document);
  const selected = useEditing((state) => state.selected);
  const [tab, setTab] = useState('settings');
  const [runId, setRunId] = useState<string>();
  const reader = useReader();
  // Not needed at first, and soon: also when the engine is away by then.
  useEffect(
    () =>
      void loadNode()
        .then(loadCodeEditor)
        .catch(() => {}),
    [],
  );
  const found = selected.length === 1 ? findNode(document, selected[0]!) : undefined;
  if (!found && selected.length > 0) return null;
  return (
    <aside
      className={found ? css.inspector : `${css.inspector} ${css.flow}`}
      onKeyDown={(event) => backToNode(event, selected)}
      aria-label={t(found ? 'canvas.settings' : 'inspector.flow.label')}
    >
      {found ? (
        <Suspense fallback={<p className={css.none}>{t('state.loading')}</p>}>
          <NodeInspector
            key={found.node.id}
            {...{ found, models, problems, tab, reader }}
            chosenRun={runId}
            onTab={setTab}
            onRun={setRunId}
          />
        </Suspense>
      ) : (
        <FlowSettings document={document} problems={problems} />
      )}
    </aside>
  );
}

/** Escape leads back to the node, but for code fields, where it has a meaning of its own. */
function backToNode({ key, target }: KeyboardEvent, selected: readonly string[]): void {
  if (key !== 'Escape' || (target as HTMLElement).isContentEditable) return;
  focusSelected(selected);
}

/** What asks recorded runs, for as long as the inspector is there. */
function useReader(): RecordedReader {
  const [reader] = useState(() => new RecordedReader());
  useEffect(() => () => reader.stop(), [reader]);
  return reader;
}
