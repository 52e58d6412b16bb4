import type { ToolInfo } from '@pawl/api';
import type { Json } from '@pawl/dag-core';
import { X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EffectBadge } from '../../../graph/effect-badge.tsx';
import { AGENT_TOOL_ROWS, agentToolIs, modelsNameOf, otherMembers } from '../../../inspecting/agent-tools.ts';
import css from '../inspector.module.css';
import { AgentCallForm, AgentQuestionForm } from './agent-tool-forms.tsx';
import { useInspected, useSetAt } from './inspecting.ts';
import { OtherMembers } from './other-members.tsx';
import { ProblemList } from './setting-problems.tsx';
import { JsonSetting } from './value-setting.tsx';

/** One thing that the model of an agent may call: what it is called, and below, to be opened, everything that is set of it. */
export function AgentToolCard({ entry, pointer }: { readonly entry: Json; readonly pointer: string }) {
  const { t } = useTranslation();
  const setAt = useSetAt();
  const { tools } = useInspected();
  const [isOpen, setOpen] = useState(false);
  const is = agentToolIs(entry);
  const ref = is === 'call' ? (entry as { tool: string }).tool : undefined;
  const tool = ref === undefined ? undefined : tools.get(ref);
  const name = modelsNameOf(entry);
  const title =
    ref === undefined
      ? t(is === 'question' ? 'canvas.asksPerson' : 'agentTools.unreadable')
      : toolWords(ref, tool);
  return (
    <div className={css.card} role="group" aria-label={name === undefined ? title : `${title} · ${name}`}>
      <div className={css.row}>
        <span className={css.what}>{title}</span>
        {tool && <EffectBadge effect={tool.effect} compensates={tool.compensates} />}
        <button
          type="button"
          aria-label={t('canvas.remove', { name: title })}
          onClick={() => setAt(pointer, undefined)}
        >
          <X size={14} aria-hidden="true" />
        </button>
      </div>
      {name !== undefined && <p className={css.about}>{t('agentTools.calledAs', { name })}</p>}
      <CardProblems
        pointer={pointer}
        rows={isOpen ? AGENT_TOOL_ROWS[is] : []}
        others={isOpen ? otherMembers(entry) : []}
      />
      {is === 'unknown' ? (
        <JsonSetting label={t('agentTools.asJson')} pointer={pointer} lines={3} />
      ) : (
        <details className={css.more} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{t(is === 'call' ? 'agentTools.settings' : 'agentTools.settingsOfQuestion')}</summary>
          {isOpen && (
            <div className={css.group}>
              {is === 'call' ? (
                <AgentCallForm {...{ pointer, tool }} />
              ) : (
                <AgentQuestionForm pointer={pointer} />
              )}
              <OtherMembers pointer={pointer} names={otherMembers(entry)} />
            </div>
          )}
        </details>
      )}
    </div>
  );
}

/** What is wrong with an entry and is said by no row that is shown: nothing is wrong out of sight. */
function CardProblems({
  pointer,
  rows,
  others,
}: {
  readonly pointer: string;
  readonly rows: readonly string[];
  readonly others: readonly string[];
}) {
  const { problems } = useInspected();
  const shown = [...rows, ...others].map((name) => `${pointer}/${name}`);
  return (
    <ProblemList
      problems={problems.filter(
        ({ at }) =>
          (at === pointer || at.startsWith(`${pointer}/`)) &&
          !shown.some((place) => at === place || at.startsWith(`${place}/`)),
      )}
    />
  );
}

export const toolWords = (id: string, tool: ToolInfo | undefined): string =>
  tool?.title ? `${tool.title} · ${id}` : id;
