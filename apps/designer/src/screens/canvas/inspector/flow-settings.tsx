import type { FlowDocument, Json } from '@pawl/dag-core';
import { useTranslation } from 'react-i18next';
import { useEditingStore } from '../../../canvas/editing.ts';
import { type Problem, pointerParts, valueAt } from '../../../editor/index.ts';
import { Choice, NumberField, TextField } from '../fields.tsx';
import css from '../inspector.module.css';
import { SchemaBuilder } from './schema-builder.tsx';
import { ProblemList } from './setting-problems.tsx';

/** What can be set of the flow itself, while no node is looked at: what it takes, and what it may spend. */
export function FlowSettings({
  document,
  problems,
}: {
  readonly document: FlowDocument;
  readonly problems: readonly Problem[];
}) {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const at = (pointer: string) => valueAt(document, pointerParts(pointer)) as Json | undefined;
  const set = (pointer: string, value: Json | undefined, field?: string) =>
    editing
      .getState()
      .perform(
        { do: 'setFlowSetting', pointer, ...(value !== undefined && { value }) },
        field === undefined ? {} : { field },
      );
  const type = (pointer: string) => (value: Json | undefined) => set(pointer, value, pointer);
  const own = problems.filter(({ node, edge }) => node === undefined && edge === undefined);
  return (
    <>
      <header className={css.head}>
        <h2>{document.title ?? document.name}</h2>
        <p>{t('inspector.flow.about')}</p>
      </header>
      <div className={css.fields}>
        <ProblemList problems={own} />
        <TextField label={t('canvas.fields.title')} value={at('/title')} onChange={type('/title')} />
        <TextField
          label={t('inspector.flow.description')}
          value={at('/description')}
          onChange={type('/description')}
        />
        <SchemaBuilder
          label={t('inspector.flow.input')}
          schema={document.input}
          onChange={(schema) => set('/input', schema)}
          onType={type('/input')}
        />
        <h3>{t('inspector.flow.budget')}</h3>
        <BudgetWords budget={document.budget} />
        <div className={css.pair}>
          <NumberField
            label={t('inspector.flow.costUsd')}
            is="share"
            value={at('/budget/costUsd')}
            onChange={type('/budget/costUsd')}
          />
          <NumberField
            label={t('inspector.flow.tokens')}
            value={at('/budget/tokens')}
            onChange={type('/budget/tokens')}
          />
          <NumberField
            label={t('inspector.flow.modelCalls')}
            value={at('/budget/modelCalls')}
            onChange={type('/budget/modelCalls')}
          />
          <NumberField
            label={t('inspector.flow.wallClock')}
            factor={1_000}
            value={at('/budget/wallClockMs')}
            onChange={type('/budget/wallClockMs')}
          />
        </div>
        <h3>{t('canvas.whenItFails')}</h3>
        <Choice
          label={t('inspector.flow.onFailure')}
          value={at('/onFailure') as string | undefined}
          options={[
            ['fail', t('canvas.choices.fail')],
            ['compensate', t('inspector.flow.compensate')],
          ]}
          empty={t('canvas.asUsual')}
          onChange={(value) => set('/onFailure', value)}
        />
        <NumberField
          label={t('inspector.flow.timeout')}
          factor={1_000}
          value={at('/timeoutMs')}
          onChange={type('/timeoutMs')}
        />
      </div>
    </>
  );
}

/** What the budget means, in a sentence. */
function BudgetWords({ budget = {} }: Pick<FlowDocument, 'budget'>) {
  const { t } = useTranslation();
  const { costUsd, tokens, modelCalls, wallClockMs } = budget;
  const limits = [
    costUsd !== undefined && t('inspector.flow.upToUsd', { amount: costUsd }),
    tokens !== undefined && t('inspector.flow.upToTokens', { count: tokens }),
    modelCalls !== undefined && t('inspector.flow.upToCalls', { count: modelCalls }),
    wallClockMs !== undefined && t('inspector.flow.upToSeconds', { count: wallClockMs / 1_000 }),
  ].filter((words) => words !== false);
  return (
    <p className={css.about}>
      {limits.length === 0
        ? t('inspector.flow.noBudget')
        : t('inspector.flow.bounded', { limits: limits.join(', ') })}
    </p>
  );
}
