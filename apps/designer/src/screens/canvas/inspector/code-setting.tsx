import { useMemo } from 'react';
import { useEditingStore } from '../../../canvas/editing.ts';
import { expressionOf } from '../../../canvas/template-text.ts';
import { CodeField, type CodeIssue, type CodeLanguage } from '../../../code/code-field.tsx';
import type { Problem } from '../../../editor/index.ts';
import { useInspected, useSetting } from './inspecting.ts';
import { useCompletions } from './use-recorded.ts';

/** A setting that is written as code. What is wrong with it is underlined; nothing written takes the setting out, unless it must be there. */
export function CodeSetting({
  label,
  pointer,
  language,
  lines = 1,
  isKept = false,
  aside,
  text,
  offset = 0,
  write,
}: {
  readonly label: string;
  readonly pointer: string;
  readonly language: CodeLanguage;
  readonly lines?: number;
  /** It stays when it is empty. */
  readonly isKept?: boolean;
  readonly aside?: React.ReactNode;
  /** What is shown, where that is not the value itself. */
  readonly text?: string;
  /** Where in the value what is shown begins. */
  readonly offset?: number;
  /** What is set, where that is not the text itself. */
  readonly write?: (text: string) => void;
}) {
  const editing = useEditingStore();
  const { problems } = useInspected();
  const setting = useSetting(pointer);
  const complete = useCompletions(pointer, WRITTEN[language]);
  const issues = useMemo(() => issuesAt(problems, pointer, offset), [problems, pointer, offset]);
  const value = text ?? (typeof setting.value === 'string' ? setting.value : '');
  const set = write ?? ((typed) => setting.type(typed === '' && !isKept ? undefined : typed));
  return (
    <CodeField
      {...{ label, language, value, lines, complete, aside }}
      issues={issues}
      // An expression that comes with its braces, as it is written elsewhere, is meant without them.
      onChange={(typed) => set(language === 'expression' ? (expressionOf(typed) ?? typed) : typed)}
      onPause={setting.pause}
      onUndo={() => editing.getState().undo()}
      onRedo={() => editing.getState().redo()}
    />
  );
}

/** How names are written in a language. */
const WRITTEN = {
  template: 'template',
  json: 'template',
  expression: 'expression',
  javascript: 'code',
} as const;

/** What the core says of the text at a pointer, where it says where. */
function issuesAt(problems: readonly Problem[], pointer: string, offset: number): CodeIssue[] {
  return problems.flatMap(({ at, position, message, hint, severity }) =>
    at === pointer && position !== undefined
      ? [{ position: position - offset, message: hint ? `${message} · ${hint}` : message, severity }]
      : [],
  );
}
