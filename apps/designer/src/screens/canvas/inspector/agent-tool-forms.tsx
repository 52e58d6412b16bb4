import type { ToolInfo } from '@pawl/api';
import { type AgentTool, callNameOf, kinds } from '@pawl/dag-core';
import { useTranslation } from 'react-i18next';
import { Choice, TextField } from '../fields.tsx';
import css from '../inspector.module.css';
import { ApproveForm, DeadlineForm, WhoField } from './approve-form.tsx';
import { ArgsForm } from './args-form.tsx';
import { useSetAt, useSetting } from './inspecting.ts';
import { RetryForm } from './retry-form.tsx';
import { SettingProblems } from './setting-problems.tsx';
import { SingleSetting } from './single-setting.tsx';

// One row for each member that the core knows (`packages/dag-core/src/kinds/agent.ts`); AGENT_TOOL_ROWS names them.

/** A tool that the model may call. */
export function AgentCallForm({
  pointer,
  tool,
}: {
  readonly pointer: string;
  /** What workers offer under that name; absent: nobody does now. */
  readonly tool: ToolInfo | undefined;
}) {
  const { t } = useTranslation();
  return (
    <>
      <SingleSetting field={{ pointer: `${pointer}/tool`, label: 'tool', form: 'tool' }} />
      {!tool && <p className={css.about}>{t('agentTools.notOffered')}</p>}
      <ForTheModel pointer={pointer} usual={tool?.description} />
      <div>
        <ArgsForm label={t('agentTools.args')} pointer={`${pointer}/args`} schema={tool?.input} isPartial />
        <p className={css.about}>{t('agentTools.argsAbout')}</p>
      </div>
      <ApproveForm pointer={`${pointer}/approve`} />
      <OnCallError pointer={`${pointer}/onError`} />
      <div>
        <RetryForm pointer={`${pointer}/retry`} usual={kinds.tool.defaultRetry} effect={tool?.effect} />
        <SettingProblems pointer={`${pointer}/retry`} />
      </div>
      <SingleSetting field={{ pointer: `${pointer}/timeoutMs`, label: 'timeout', form: 'seconds' }} />
    </>
  );
}

/** A person whom the model may ask. */
export function AgentQuestionForm({ pointer }: { readonly pointer: string }) {
  const { t } = useTranslation();
  return (
    <>
      <ForTheModel pointer={pointer} />
      <div>
        <SingleSetting field={{ pointer: `${pointer}/form`, label: 'form', form: 'schema' }} />
        <p className={css.about}>{t('agentTools.formAbout')}</p>
      </div>
      <WhoField pointer={`${pointer}/who`} />
      <DeadlineForm pointer={pointer} />
    </>
  );
}

/** How the model knows it. */
function ForTheModel({ pointer, usual }: { readonly pointer: string; readonly usual?: string | undefined }) {
  const { t } = useTranslation();
  const entry = useSetting(pointer).value as unknown as AgentTool;
  const { name: _, ...unnamed } = entry;
  const name = useSetting(`${pointer}/name`);
  const description = useSetting(`${pointer}/description`);
  return (
    <>
      <div>
        <TextField
          label={t('agentTools.name')}
          value={name.value}
          placeholder={callNameOf(unnamed as AgentTool)}
          onChange={name.type}
        />
        <SettingProblems pointer={name.pointer} />
      </div>
      <div>
        <TextField
          label={t('agentTools.description')}
          value={description.value}
          lines={3}
          placeholder={usual}
          onChange={description.type}
        />
        <SettingProblems pointer={description.pointer} />
      </div>
    </>
  );
}

const AFTER_ERROR = ['tell', 'fail'] as const;

function OnCallError({ pointer }: { readonly pointer: string }) {
  const { t } = useTranslation();
  const setAt = useSetAt();
  const { value } = useSetting(pointer);
  return (
    <div>
      <Choice
        label={t('agentTools.onError')}
        value={value as string | undefined}
        options={AFTER_ERROR.map((each) => [each, t(`agentTools.afterError.${each}`)])}
        empty={t('agentTools.usually', { what: t('agentTools.afterError.tell') })}
        onChange={(next) => setAt(pointer, next)}
      />
      <SettingProblems pointer={pointer} />
    </div>
  );
}
