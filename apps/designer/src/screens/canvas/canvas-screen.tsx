import type { Json } from '@pawl/dag-core';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useParams } from '@tanstack/react-router';
import { ReactFlowProvider } from '@xyflow/react';
import { Redo2, Undo2, WandSparkles } from 'lucide-react';
import { Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../access/me.ts';
import { api } from '../../api/client.ts';
import { toolsQuery } from '../../api/tools.ts';
import { EditingContext, useEditing, useEditingStore } from '../../canvas/editing.ts';
import { loadRewrite } from '../../canvas/load-rewrite.ts';
import { type Choice, newNode } from '../../canvas/new-node.ts';
import { useProblems } from '../../canvas/use-problems.ts';
import { findNode, type GraphPath, type Point } from '../../editor/index.ts';
import { tidy } from '../../graph/place-flow.ts';
import { type OpenDraft, openDraft } from '../../saving/open-draft.ts';
import { createTesting, TestingContext, useTesting } from '../../testing/testing.ts';
import { toolRef } from '../../tools/tool-ref.ts';
import button from '../../ui/button.module.css';
import { Button } from '../../ui/button.tsx';
import { later } from '../../ui/later.tsx';
import { Page } from '../../ui/page.tsx';
import { CanvasGraph } from './canvas-graph.tsx';
import { ToolsContext } from './canvas-node.tsx';
import css from './canvas-screen.module.css';
import { Inspector } from './inspector.tsx';
import { Palette } from './palette.tsx';
import { ProblemBar } from './problem-bar.tsx';
import { RefusalBubble } from './refusal-bubble.tsx';
import { SaveStatus } from './save-status.tsx';
import { RunMenu } from './testing/run-menu.tsx';
import { useClipboard } from './use-clipboard.ts';
import { useKeys } from './use-keys.ts';

const PublishDialog = later(async () => (await import('../flows/publish-dialog.tsx')).PublishDialog);
const TestDialog = later(async () => (await import('./testing/test-dialog.tsx')).TestDialog);
const ShownTest = later(async () => (await import('./testing/shown-test.tsx')).ShownTest);

/** The draft of a flow, drawn and edited; who may not edit sees it with its versions. */
export function CanvasScreen() {
  const { flow } = useParams({ from: '/flows/$flow' });
  const mayDraw = useMay('editor');
  return mayDraw ? <Draft flow={flow} /> : <Navigate to="/flows/$flow/versions" params={{ flow }} replace />;
}

function Draft({ flow }: { readonly flow: string }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<OpenDraft>();
  const [problem, setProblem] = useState<string>();
  const testing = useMemo(() => (opened ? createTesting() : undefined), [opened]);
  useEffect(() => {
    let isOver = false;
    let draft: OpenDraft | undefined;
    openDraft(flow).then(
      (loaded) => {
        draft = loaded;
        if (isOver) loaded.close();
        else setOpened(loaded);
      },
      (error: Error) => isOver || setProblem(error.message),
    );
    return () => {
      isOver = true;
      draft?.close();
      setOpened(undefined);
      setProblem(undefined);
    };
  }, [flow]);
  if (!opened || !testing)
    return (
      <Page title={flow}>
        {problem === undefined ? (
          <p>{t('state.loading')}</p>
        ) : (
          <>
            <p role="alert">{problem}</p>
            <Link to="/flows">{t('state.toFlows')}</Link>
          </>
        )}
      </Page>
    );
  return (
    <EditingContext value={opened.editing}>
      <TestingContext value={testing}>
        <ReactFlowProvider>
          <Canvas flow={flow} draft={opened} />
        </ReactFlowProvider>
      </TestingContext>
    </EditingContext>
  );
}

const NO_ITEMS: readonly never[] = [];

function Canvas({ flow, draft }: { readonly flow: string; readonly draft: OpenDraft }) {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const document = useEditing(({ history }) => history.document);
  const input = useRef<HTMLInputElement>(null);
  const tools = useQuery(toolsQuery);
  const models = useQuery({
    queryKey: ['models'],
    queryFn: ({ signal }) => api.listModels({ signal }),
    staleTime: 60_000,
  });
  const toolList = tools.data?.items ?? NO_ITEMS;
  const byName = useMemo(() => new Map(toolList.map((tool) => [toolRef(tool), tool])), [toolList]);
  const model = models.data?.items[0]?.id ?? 'sim:writer';
  const add = (choice: Choice, graph?: GraphPath, at?: Point) => {
    const { history, selected, place, perform, set } = editing.getState();
    const node = newNode(choice, history.document, model);
    const last = selected.length === 1 ? findNode(history.document, selected[0]!) : undefined;
    const where =
      graph && at
        ? { graph, at }
        : (place ?? (last ? { graph: last.graph, wire: { from: last.node.id } } : { graph: [] }));
    if (perform({ do: 'addNode', node, ...where })) set({ place: undefined });
    focusNode(node.id);
  };
  const tidyUp = async () => editing.getState().perform(await tidy(editing.getState().history.document));
  const save = async () => {
    await draft.saver.flush();
    if (draft.saver.state().phase !== 'saved') throw new Error(t('canvas.publish.unsaved'));
  };
  const problems = useProblems(document, tools.data?.items);
  const [isPublishing, setPublishing] = useState(false);
  const asked = useTesting((state) => state.asked);
  const tested = useTesting((state) => state.runId);
  useKeys(input);
  useClipboard();
  // Not needed at first, and soon: also when the engine is away by then.
  useEffect(() => void loadRewrite(), []);
  return (
    <Page
      isBare
      title={
        <>
          <Link to="/flows" className={css.crumb}>
            {t('rail.flows')}
          </Link>{' '}
          / {document.title ?? flow}
        </>
      }
      actions={
        <>
          <SaveStatus draft={draft} />
          <History />
          <Button look="quiet" onClick={tidyUp}>
            <WandSparkles size={15} aria-hidden="true" /> {t('canvas.tidy')}
          </Button>
          <Link to="/flows/$flow/versions" params={{ flow }} className={`${button.button} ${button.quiet}`}>
            {t('versions.toVersions')}
          </Link>
          <RunMenu onPublish={() => setPublishing(true)} />
          <Button look="primary" onClick={() => setPublishing(true)}>
            {t('canvas.publish.open')}
          </Button>
          {isPublishing && (
            <Suspense>
              <PublishDialog
                flow={flow}
                draft={document as unknown as Json}
                save={save}
                onClose={() => setPublishing(false)}
              />
            </Suspense>
          )}
        </>
      }
    >
      <ToolsContext value={byName}>
        <div className={`${css.canvas} ${tested === undefined ? '' : css.tested}`}>
          <section className={css.drawing} aria-label={t('canvas.drawing')} tabIndex={-1}>
            <CanvasGraph onAdd={add} />
            <div className={css.left}>
              <Palette tools={toolList} input={input} onChoose={add} />
            </div>
            <RefusalBubble />
          </section>
          <ProblemBar problems={problems} />
          {tested !== undefined && (
            <Suspense>
              <ShownTest key={tested} flow={flow} runId={tested} />
            </Suspense>
          )}
          {asked && (
            <Suspense>
              <TestDialog {...{ flow, draft, part: asked }} />
            </Suspense>
          )}
          <Inspector models={models.data?.items ?? NO_ITEMS} problems={problems} />
        </div>
      </ToolsContext>
    </Page>
  );
}

/** Moves the focus to a node once it is drawn. */
export function focusNode(id: string): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`.react-flow__node[data-id="${id}"]`)?.focus(),
    ),
  );
}

/** What can be undone and done again, by name. */
function History() {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const past = useEditing(({ history }) => history.gesture?.label ?? history.past.at(-1)?.label);
  const future = useEditing(({ history }) => history.future.at(-1)?.label);
  const nameOf = (label: typeof past) =>
    label &&
    t(`canvas.did.${label.did}`, { what: label.what ?? t('canvas.several', { count: label.count ?? 1 }) });
  return (
    <>
      <Button
        look="quiet"
        disabled={!past}
        aria-label={t('canvas.undo')}
        title={past ? t('canvas.undoThis', { what: nameOf(past) }) : t('canvas.undo')}
        onClick={() => editing.getState().undo()}
      >
        <Undo2 size={16} aria-hidden="true" />
      </Button>
      <Button
        look="quiet"
        disabled={!future}
        aria-label={t('canvas.redo')}
        title={future ? t('canvas.redoThis', { what: nameOf(future) }) : t('canvas.redo')}
        onClick={() => editing.getState().redo()}
      >
        <Redo2 size={16} aria-hidden="true" />
      </Button>
    </>
  );
}
