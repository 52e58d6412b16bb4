import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useParams } from '@tanstack/react-router';
import { ReactFlowProvider, useReactFlow } from '@xyflow/react';
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../access/me.ts';
import { api } from '../../api/client.ts';
import { toolsQuery } from '../../api/tools.ts';
import {
  type Editing,
  EditingContext,
  type Place,
  useEditing,
  useEditingStore,
} from '../../canvas/editing.ts';
import { onwardPort } from '../../canvas/ends.ts';
import { loadRewrite } from '../../canvas/load-rewrite.ts';
import { type Chosen, newNode } from '../../canvas/new-node.ts';
import { useProblems } from '../../canvas/use-problems.ts';
import { useCommands } from '../../commands/commands.ts';
import { findNode, type GraphPath, type Point } from '../../editor/index.ts';
import { tidy } from '../../graph/place-flow.ts';
import { type OpenDraft, openDraft } from '../../saving/open-draft.ts';
import { createTesting, TestingContext, useTesting, useTestingStore } from '../../testing/testing.ts';
import { toolRef } from '../../tools/tool-ref.ts';
import { later } from '../../ui/later.tsx';
import { Page } from '../../ui/page.tsx';
import { Announcer } from './announcer.tsx';
import { CanvasActions } from './canvas-actions.tsx';
import { canvasCommands } from './canvas-commands.ts';
import { CanvasGraph } from './canvas-graph.tsx';
import { ToolsContext } from './canvas-node.tsx';
import css from './canvas-screen.module.css';
import { Wiring } from './connecting/wiring.tsx';
import { addDrawing, middleOf } from './drawings/add-drawing.ts';
import { Inspector } from './inspector.tsx';
import { Palette } from './palette.tsx';
import { ProblemBar } from './problem-bar.tsx';
import { RefusalBubble } from './refusal-bubble.tsx';
import { focusNode, useReveal, useShow } from './showing.ts';
import { useClipboard } from './use-clipboard.ts';
import { useView } from './use-view.ts';

const SubFlow = later(async () => (await import('./drill-in/sub-flow.tsx')).SubFlow);
const SelectionBar = later(async () => (await import('./selection-bar.tsx')).SelectionBar);
const Outline = later(async () => (await import('./outline/outline.tsx')).Outline);
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

/** Where on a node the pointer is that drops it. */
const NODE_MIDDLE = { x: 106, y: 32 } as const;

const NO_ITEMS: readonly never[] = [];

function Canvas({ flow, draft }: { readonly flow: string; readonly draft: OpenDraft }) {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const testing = useTestingStore();
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
  const { getViewport } = useReactFlow();
  const reveal = useReveal();
  const add = (choice: Chosen, graph?: GraphPath, at?: Point) => {
    const state = editing.getState();
    if ('drawing' in choice) {
      addDrawing(
        state,
        choice.drawing,
        graph && at ? { graph, at } : { graph: [], at: middleOf(getViewport()) },
      );
      return;
    }
    const node = newNode(choice, state.history.document, model);
    const where =
      graph && at
        ? { graph, at: { x: at.x - NODE_MIDDLE.x, y: at.y - NODE_MIDDLE.y } }
        : (state.place ?? placeAfter(state));
    if (state.perform({ do: 'addNode', node, ...where })) state.set({ place: undefined });
    reveal([node.id]);
    focusNode(node.id);
  };
  const problems = useProblems(document, tools.data?.items);
  const [isPublishing, setPublishing] = useState(false);
  const hasSeveral = useEditing(({ selected }) => selected.length > 1);
  const asked = useTesting((state) => state.asked);
  const tested = useTesting((state) => state.runId);
  const { isList, into, choose, open } = useView();
  const show = useShow();
  const tidyUp = useCallback(
    async () => void editing.getState().perform(await tidy(editing.getState().history.document)),
    [editing],
  );
  useCommands(
    useMemo(
      () =>
        into !== undefined
          ? []
          : canvasCommands({
              ...{ editing, testing, isList, show, open, t },
              search: input,
              tidy: tidyUp,
              middle: () => middleOf(getViewport()),
              publish: () => setPublishing(true),
              toggleList: () => choose(isList ? 'canvas' : 'list'),
            }),
      [editing, testing, isList, into, show, open, t, tidyUp, choose, getViewport],
    ),
  );
  useClipboard(into === undefined, reveal);
  // Not needed at first, and soon: also when the engine is away by then.
  useEffect(() => void loadRewrite(), []);
  if (into !== undefined)
    return (
      <ToolsContext value={byName}>
        <Suspense fallback={<p>{t('state.loading')}</p>}>
          <SubFlow {...{ flow, document, into }} />
        </Suspense>
      </ToolsContext>
    );
  const palette = (
    <div className={css.left}>
      <Palette tools={toolList} input={input} onChoose={add} />
    </div>
  );
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
        <CanvasActions
          {...{ flow, draft, isPublishing, setPublishing, isList }}
          onView={choose}
          onTidy={tidyUp}
        />
      }
    >
      <ToolsContext value={byName}>
        <div className={`${css.canvas} ${tested === undefined ? '' : css.tested} ${isList ? css.list : ''}`}>
          <section className={css.drawing} aria-label={t('canvas.drawing')} tabIndex={-1} data-drawing>
            {isList ? (
              <>
                {palette}
                <Suspense fallback={<p>{t('state.loading')}</p>}>
                  <Outline problems={problems} />
                </Suspense>
              </>
            ) : (
              <>
                <CanvasGraph onAdd={add} />
                {palette}
              </>
            )}
            <RefusalBubble />
            {!isList && hasSeveral && (
              <Suspense>
                <SelectionBar />
              </Suspense>
            )}
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
          <Wiring />
          <Announcer />
          <Inspector models={models.data?.items ?? NO_ITEMS} problems={problems} />
        </div>
      </ToolsContext>
    </Page>
  );
}

/** After what is selected, where that is one node; else anywhere. */
function placeAfter({ history: { document }, selected }: Editing): Place {
  const last = selected.length === 1 ? findNode(document, selected[0]!) : undefined;
  if (!last) return { graph: [] };
  const { node, graph } = last;
  const port = onwardPort(document, graph, node);
  return { graph, wire: { from: node.id, ...(port && { port }) } };
}
