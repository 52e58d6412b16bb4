import {
  autocompletion,
  type Completion as CmCompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import { Annotation, EditorState } from '@codemirror/state';
import { EditorView, keymap, tooltips } from '@codemirror/view';
import i18next from 'i18next';
import { useEffect, useImperativeHandle, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Completion } from '../inspecting/completions.ts';
import { wantedAt } from '../inspecting/wanted.ts';
import type { CodeIssue, EditorProps } from './code-field.tsx';
import { languageOf } from './languages.ts';
import { look } from './look.ts';

// Rules kept here: what is typed here is undone by the editor of the flow (D5), so this one keeps no history of its own; Tab leaves the
// field, in JavaScript after Escape.

/** A change that came from outside, which is not told back. */
const fromOutside = Annotation.define<true>();
/** This long without a key, what follows is another thing to undo. */
const PAUSE_MS = 1_000;

/** The editor of a code field. */
export function CodeEditor(props: EditorProps) {
  const { value, issues, handle } = props;
  const { t } = useTranslation();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(props);
  latest.current = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: made once; what changes is read from `latest`.
  useEffect(() => {
    const made = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: value,
        extensions: extensionsFor(latest, t('code.completions')),
      }),
    });
    view.current = made;
    return () => made.destroy();
  }, []);
  useEffect(() => {
    if (view.current) follow(view.current, value);
  }, [value]);
  useEffect(() => {
    if (view.current) mark(view.current, issues ?? []);
  }, [issues]);
  useImperativeHandle(handle, () => ({ offer: () => offer(view.current!, latest.current) }));
  return <div ref={host} />;
}

/** Lists what can be written at the cursor; where no expression is, one is begun. */
function offer(view: EditorView, { language }: EditorProps): void {
  view.focus();
  const { from, to } = view.state.selection.main;
  const isText = language === 'template' || language === 'json';
  if (isText && !wantedAt(view.state.doc.toString(), from, 'template'))
    view.dispatch({ changes: { from, to, insert: '{{  }}' }, selection: { anchor: from + 3 } });
  startCompletion(view);
}

interface Latest {
  readonly current: EditorProps;
}

function extensionsFor(latest: Latest, completions: string) {
  const { language, labelledBy, describedBy, lines = 1 } = latest.current;
  const done = (act: (() => void) | undefined) => {
    act?.();
    return true;
  };
  return [
    keymap.of([
      { key: 'Mod-z', run: () => done(latest.current.onUndo), preventDefault: true },
      { key: 'Mod-y', run: () => done(latest.current.onRedo), preventDefault: true },
      { key: 'Mod-Shift-z', run: () => done(latest.current.onRedo), preventDefault: true },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...defaultKeymap,
      ...(language === 'javascript' ? [indentWithTab] : []),
    ]),
    languageOf(language),
    bracketMatching(),
    closeBrackets(),
    autocompletion({
      override: [(context) => completeIn(latest, context)],
      icons: false,
      // What is listed can be taken at once: Enter within the usual 75 ms would begin a new line instead.
      interactionDelay: 0,
      addToOptions: [{ render: sampleOf, position: 85 }],
    }),
    tooltips({ parent: document.body, position: 'fixed' }),
    EditorState.phrases.of({ Completions: completions }),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-labelledby': labelledBy,
      'aria-describedby': describedBy,
      spellcheck: language === 'template' ? 'true' : 'false',
      style: `min-height: ${lines * 18.6 + 10}px`,
    }),
    tell(latest),
    look,
  ];
}

/** Tells what was typed, and pauses. */
function tell(latest: Latest) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pause = () => {
    clearTimeout(timer);
    latest.current.onPause?.();
  };
  return [
    EditorView.updateListener.of(({ docChanged, state, transactions }) => {
      if (!docChanged || transactions.some((each) => each.annotation(fromOutside))) return;
      clearTimeout(timer);
      timer = setTimeout(pause, PAUSE_MS);
      latest.current.onChange(state.doc.toString());
    }),
    EditorView.domEventHandlers({
      blur: pause,
      // Keys of the canvas are not for what is typed here.
      keydown: (event) => void (event.key === 'Escape' && event.stopPropagation()),
    }),
  ];
}

async function completeIn(latest: Latest, context: CompletionContext): Promise<CompletionResult | null> {
  const { complete, language } = latest.current;
  const written = language === 'javascript' ? 'code' : language === 'json' ? 'template' : language;
  const wanted = complete && wantedAt(context.state.doc.toString(), context.pos, written);
  if (!wanted) return null;
  if (!context.explicit && wanted.begun === '' && wanted.path.length === 0) return null;
  const found = await complete(wanted);
  if (context.aborted || found.length === 0) return null;
  return { from: wanted.from, options: found.map(optionOf), validFor: /^[\w$`-]*$/ };
}

interface SampledOption extends CmCompletion {
  readonly sample?: string | undefined;
}

/** What is called something is found by that, too. */
function optionOf({ text, title, type, about, sample, is }: Completion, at: number): SampledOption {
  const known = about ?? (type && String(i18next.t(`inspector.types.${type}`)));
  const detail = [title, known].filter((word) => word !== undefined).join(' · ');
  return {
    label: text,
    ...(detail !== '' && { detail }),
    boost: is === 'function' ? -99 : -Math.min(at, 90),
    sample,
  };
}

function sampleOf(option: CmCompletion): Node | null {
  const { sample } = option as SampledOption;
  if (sample === undefined) return null;
  const shown = document.createElement('span');
  shown.className = 'cm-completion-sample';
  shown.textContent = sample;
  return shown;
}

/** Puts in what came from outside, and only where it differs, so that the cursor stays where it is. */
function follow(view: EditorView, value: string): void {
  const shown = view.state.doc.toString();
  if (shown === value) return;
  let from = 0;
  while (from < shown.length && shown[from] === value[from]) from += 1;
  let same = 0;
  while (
    same < Math.min(shown.length, value.length) - from &&
    shown[shown.length - 1 - same] === value[value.length - 1 - same]
  )
    same += 1;
  view.dispatch({
    changes: { from, to: shown.length - same, insert: value.slice(from, value.length - same) },
    annotations: fromOutside.of(true),
  });
}

/** Underlines what is wrong, from its place to the end of the word there. */
function mark(view: EditorView, issues: readonly CodeIssue[]): void {
  const { length } = view.state.doc;
  const diagnostics = issues.map(({ position, message, severity }): Diagnostic => {
    const from = Math.max(0, Math.min(position, Math.max(0, length - 1)));
    const [word = ''] = /^[\w$.`-]+/.exec(view.state.sliceDoc(from, from + 200)) ?? [];
    return { from, to: Math.min(length, from + Math.max(1, word.length)), message, severity };
  });
  view.dispatch(setDiagnostics(view.state, diagnostics));
  const { contentDOM } = view;
  if (issues.some(({ severity }) => severity === 'error')) contentDOM.setAttribute('aria-invalid', 'true');
  else contentDOM.removeAttribute('aria-invalid');
}
