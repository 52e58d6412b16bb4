import { kindOf, type NodeConfig } from '@pawl/dag-core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditingStore } from '../../../canvas/editing.ts';
import {
  FALLBACK_FIELD,
  FIELDS,
  type Field,
  JOIN_FIELD,
  ON_ERROR_FIELD,
  POOL_FIELD,
  TIMEOUT_FIELD,
} from '../../../canvas/fields.ts';
import { edgesOf, type GraphPath, graphAt } from '../../../editor/index.ts';
import { Labelled } from '../fields.tsx';
import css from '../inspector.module.css';
import { useInspected } from './inspecting.ts';
import { RetryForm } from './retry-form.tsx';
import { Setting } from './setting.tsx';
import { ProblemList } from './setting-problems.tsx';

const TITLE_FIELD: Field = { pointer: '/title', label: 'title', form: 'text' };

/** What can be set of the node; every change is an operation, so it can be undone. */
export function SettingsTab() {
  const { t } = useTranslation();
  const { document, node, graph, tools } = useInspected();
  const tool = node.kind === 'tool' ? tools.get(node.tool) : undefined;
  const here = graphAt(document, graph);
  const ways = here ? edgesOf(here).filter(({ to }) => to === node.id).length : 0;
  const rules = [ON_ERROR_FIELD, ...(node.onError?.do === 'fallback' ? [FALLBACK_FIELD] : [])];
  return (
    <div className={css.fields}>
      <ProblemsElsewhere />
      <Setting field={TITLE_FIELD} />
      <IdField node={node} graph={graph} />
      {FIELDS[node.kind].map((field) => (
        <Setting key={field.pointer} field={field} />
      ))}
      {(ways > 1 || node.kind === 'join') && <Setting field={JOIN_FIELD} />}
      <h3>{t('canvas.whenItFails')}</h3>
      {rules.map((field) => (
        <Setting key={field.pointer} field={field} />
      ))}
      <RetryForm pointer="/retry" usual={kindOf(node).defaultRetry} effect={tool?.effect} />
      <Setting field={TIMEOUT_FIELD} />
      <Setting field={POOL_FIELD} />
    </div>
  );
}

/** Problems of the node that are of no setting which is shown, first. */
function ProblemsElsewhere() {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const { node, problems } = useInspected();
  const shown = [
    TITLE_FIELD,
    ON_ERROR_FIELD,
    FALLBACK_FIELD,
    TIMEOUT_FIELD,
    POOL_FIELD,
    JOIN_FIELD,
    ...FIELDS[node.kind],
  ];
  const isShown = (at: string) => shown.some(({ pointer }) => at === pointer || at.startsWith(`${pointer}/`));
  const others = problems.filter(({ at }) => !isShown(at));
  const lacksBudget = others.some(({ code }) => code === 'budget_missing');
  if (others.length === 0) return null;
  return (
    <div>
      <ProblemList problems={others} />
      {lacksBudget && (
        <button type="button" className={css.add} onClick={() => editing.getState().select([])}>
          {t('inspector.toBudget')}
        </button>
      )}
    </div>
  );
}

/** The id by which expressions read the node; they follow when it is renamed. */
function IdField({ node, graph }: { readonly node: NodeConfig; readonly graph: GraphPath }) {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const [text, setText] = useState(node.id);
  const isAsked = useRef(false);
  const done = async () => {
    const id = text.trim();
    if (id === node.id) return setText(node.id);
    if (isAsked.current) return;
    isAsked.current = true;
    if (!(await editing.getState().rewrite({ do: 'renameNode', graph, id: node.id, to: id })))
      setText(node.id);
    isAsked.current = false;
  };
  return (
    <Labelled label={t('canvas.fields.id')}>
      {(field) => (
        <input
          id={field}
          className={css.code}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onBlur={done}
          onKeyDown={({ key }) => key === 'Enter' && done()}
        />
      )}
    </Labelled>
  );
}
