import { Braces } from 'lucide-react';
import { type FunctionComponent, lazy, type ReactNode, type RefObject, Suspense, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Completion } from '../inspecting/completions.ts';
import type { Wanted } from '../inspecting/wanted.ts';
import css from './code-field.module.css';
import { PlainEditor } from './plain-editor.tsx';

/** `template`: text with expressions in double braces; `expression`: one, without the braces. */
export type CodeLanguage = 'template' | 'expression' | 'javascript' | 'json';

/** Something that is wrong at a place of the text. */
export interface CodeIssue {
  readonly position: number;
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

export interface CodeFieldProps {
  readonly label: string;
  readonly language: CodeLanguage;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** What is typed from now on is another thing to undo. */
  readonly onPause?: () => void;
  readonly onUndo?: () => void;
  readonly onRedo?: () => void;
  /** What can be written next. */
  readonly complete?: ((wanted: Wanted) => Promise<readonly Completion[]>) | undefined;
  readonly issues?: readonly CodeIssue[];
  /** Lines that are there from the beginning. */
  readonly lines?: number;
}

/** What can be asked of the editor from outside. */
export interface CodeHandle {
  /** Lists what can be written where the cursor is; in a text the braces are put around it. */
  offer(): void;
}

/** What an editor gets of the field around it. */
export interface EditorProps extends CodeFieldProps {
  readonly handle: RefObject<CodeHandle | null>;
  readonly labelledBy: string;
  readonly describedBy: string;
}

/** The editor; where it cannot be loaded, a plain field does. */
const Loaded = lazy<FunctionComponent<EditorProps>>(() =>
  loadCodeEditor().then(
    ({ CodeEditor }) => ({ default: CodeEditor }),
    () => ({ default: PlainEditor }),
  ),
);

/** Loads the editor before it is needed. */
export const loadCodeEditor = () => import('./code-editor.tsx');

/** A field for code, with its label; the editor is loaded when the first one is shown. */
export function CodeField({ aside, ...props }: CodeFieldProps & { readonly aside?: ReactNode }) {
  const { t } = useTranslation();
  const id = useId();
  const handle = useRef<CodeHandle>(null);
  const hint = props.language === 'javascript' ? t('code.hintTabs') : t('code.hint');
  return (
    <div className={css.field}>
      <div className={css.label}>
        <span id={`${id}-label`}>{props.label}</span>
        <span className={css.aside}>
          {props.complete && (
            <button
              type="button"
              className={css.offer}
              aria-label={t('code.offer', { label: props.label })}
              title={t('code.completions')}
              onClick={() => handle.current?.offer()}
            >
              <Braces size={13} aria-hidden="true" />
            </button>
          )}
          {aside}
        </span>
      </div>
      <Suspense fallback={<pre className={css.before}>{props.value}</pre>}>
        <Loaded {...props} handle={handle} labelledBy={`${id}-label`} describedBy={`${id}-hint`} />
      </Suspense>
      <p id={`${id}-hint`} className={css.hint}>
        {hint}
      </p>
    </div>
  );
}
