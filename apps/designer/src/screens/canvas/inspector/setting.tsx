import { useTranslation } from 'react-i18next';
import { type Field, hasParts, type PartsField } from '../../../canvas/fields.ts';
import { AgentTools } from './agent-tools.tsx';
import { ArgsForm } from './args-form.tsx';
import { CasesForm } from './cases-form.tsx';
import { useInspected } from './inspecting.ts';
import { PromptForm } from './prompt-form.tsx';
import { SingleSetting } from './single-setting.tsx';

/** One setting of the node, with what is wrong with it. */
export const Setting = ({ field }: { readonly field: Field }) =>
  hasParts(field) ? (
    <div>
      <PartsForm field={field} />
    </div>
  ) : (
    <SingleSetting field={field} />
  );

/** A form of several parts; each says itself what is wrong with it. */
function PartsForm({ field: { pointer, label: name, form } }: { readonly field: PartsField }) {
  const { t } = useTranslation();
  const { node, tools } = useInspected();
  const label = t(`canvas.fields.${name}`);
  switch (form) {
    case 'prompt':
      return <PromptForm {...{ label, pointer }} />;
    case 'args':
      return (
        <ArgsForm
          {...{ label, pointer }}
          schema={node.kind === 'tool' ? tools.get(node.tool)?.input : undefined}
        />
      );
    case 'cases':
      return <CasesForm {...{ label, pointer }} />;
    case 'calls':
      return <AgentTools {...{ label, pointer }} />;
  }
}
