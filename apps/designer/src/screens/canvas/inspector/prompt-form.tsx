import type { JsonObject } from '@pawl/dag-core';
import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '../fields.tsx';
import css from '../inspector.module.css';
import { CodeSetting } from './code-setting.tsx';
import { useSetting } from './inspecting.ts';
import { PreviewLine } from './preview-line.tsx';
import { SettingProblems } from './setting-problems.tsx';

const ROLES = ['system', 'user', 'assistant'] as const;

/** A prompt: one text, or messages in order. */
export function PromptForm({ label, pointer }: { readonly label: string; readonly pointer: string }) {
  const { t } = useTranslation();
  const { value, choose } = useSetting(pointer);
  if (!Array.isArray(value))
    return (
      <>
        <CodeSetting {...{ label, pointer }} language="template" lines={6} isKept />
        <Rendered pointer={pointer} text={value} />
        <SettingProblems pointer={pointer} />
        <AddButton
          words={t('inspector.addMessage')}
          onClick={() => choose([{ role: 'user', content: typeof value === 'string' ? value : '' }, EMPTY])}
        />
      </>
    );
  const messages = value as readonly JsonObject[];
  const move = (at: number, by: 1 | -1) => {
    const message = messages[at]!;
    choose(messages.toSpliced(at, 1).toSpliced(at + by, 0, message));
  };
  return (
    <fieldset className={css.group}>
      <legend>{label}</legend>
      {messages.map((message, at) => (
        <Message
          // biome-ignore lint/suspicious/noArrayIndexKey: messages have nothing but their place.
          key={at}
          {...{ pointer: `${pointer}/${at}`, message, at }}
          isLast={at === messages.length - 1}
          onMove={(by) => move(at, by)}
          onRemove={() => choose(messages.toSpliced(at, 1))}
        />
      ))}
      <SettingProblems pointer={pointer} isExact />
      <AddButton words={t('inspector.addMessage')} onClick={() => choose([...messages, EMPTY])} />
    </fieldset>
  );
}

const EMPTY = { role: 'user', content: '' };

function Message({
  pointer,
  message,
  at,
  isLast,
  onMove,
  onRemove,
}: {
  readonly pointer: string;
  readonly message: JsonObject;
  readonly at: number;
  readonly isLast: boolean;
  readonly onMove: (by: 1 | -1) => void;
  readonly onRemove: () => void;
}) {
  const { t } = useTranslation();
  const role = useSetting(`${pointer}/role`);
  const place = { place: at + 1 };
  const aside = (
    <span className={css.tools}>
      <select
        aria-label={t('inspector.roleOf', place)}
        value={String(message.role)}
        onChange={({ target }) => role.choose(target.value)}
      >
        {ROLES.map((each) => (
          <option key={each} value={each}>
            {t(`canvas.roles.${each}`)}
          </option>
        ))}
      </select>
      <button
        type="button"
        aria-label={t('inspector.messageUp', place)}
        disabled={at === 0}
        onClick={() => onMove(-1)}
      >
        <ArrowUp size={14} aria-hidden="true" />
      </button>
      <button
        type="button"
        aria-label={t('inspector.messageDown', place)}
        disabled={isLast}
        onClick={() => onMove(1)}
      >
        <ArrowDown size={14} aria-hidden="true" />
      </button>
      <button type="button" aria-label={t('inspector.removeMessage', place)} onClick={onRemove}>
        <X size={14} aria-hidden="true" />
      </button>
    </span>
  );
  return (
    <div>
      <CodeSetting
        label={t('inspector.message', place)}
        pointer={`${pointer}/content`}
        language="template"
        lines={3}
        isKept
        aside={aside}
      />
      <Rendered pointer={`${pointer}/content`} text={message.content} />
      <SettingProblems pointer={pointer} />
    </div>
  );
}

/** What the model would have been sent; nothing where the text stands for itself. */
function Rendered({ pointer, text }: { readonly pointer: string; readonly text: unknown }) {
  if (typeof text !== 'string' || !text.includes('{{')) return null;
  return <PreviewLine pointer={pointer} template={text} as="text" />;
}
