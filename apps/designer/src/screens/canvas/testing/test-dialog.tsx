import { ApiError } from '@pawl/api';
import type { Json, TestPart } from '@pawl/dag-core';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RoleNote } from '../../../access/role-note.tsx';
import { api } from '../../../api/client.ts';
import { useEditing } from '../../../canvas/editing.ts';
import { findNode } from '../../../editor/index.ts';
import { sampleInput } from '../../../flow-files/sample-input.ts';
import { type FormHandle, SchemaForm } from '../../../forms/schema-form.tsx';
import type { OpenDraft } from '../../../saving/open-draft.ts';
import { chooseTest, type How } from '../../../testing/choices.ts';
import { type Mock, useTesting, useTestingStore } from '../../../testing/testing.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { IssueList } from '../../../ui/issue-list.tsx';
import { PlanList } from './plan-list.tsx';
import css from './test-dialog.module.css';
import { partsOf, usePartWords } from './test-items.tsx';
import { useAtHand } from './use-at-hand.ts';
import { useEarlierRuns, useInputOf } from './use-earlier-runs.ts';
import { outputsOf } from './wished-outputs.ts';

/** Says what a test would do, lets a person choose, and starts it. */
export function TestDialog({
  flow,
  draft,
  part: asked,
}: {
  readonly flow: string;
  readonly draft: OpenDraft;
  readonly part: TestPart;
}) {
  const { t, i18n } = useTranslation();
  const testing = useTestingStore();
  const document = useEditing(({ history }) => history.document);
  const remembered = useTesting((state) => state.remembered);
  const wordsOf = usePartWords();
  const form = useRef<FormHandle>(null);
  const [part, setPart] = useState(asked);
  const [chosen, setChosen] = useState(remembered.chosen);
  const [mocks, setMocks] = useState(remembered.mocks);
  const [input, setInput] = useState(remembered.input);
  const [fromRun, setFromRun] = useState<string>();
  const earlier = useEarlierRuns(flow);
  const recordedRun = fromRun ?? earlier.runs[0]?.id;
  const { atHand, registered } = useAtHand(document, recordedRun);
  const lastInput = useInputOf(earlier.runs[0]?.id);
  const test = useMemo(
    () => chooseTest(document, part, chosen, atHand, registered),
    [document, part, chosen, atHand, registered],
  );
  const first = remembered.input ?? lastInput.input ?? sampleInput(document.input);
  const isReady = !earlier.isPending && !lastInput.isPending;
  const close = () => testing.getState().set({ asked: undefined });
  const start = useMutation({
    mutationFn: async () => {
      await draft.saver.flush();
      if (draft.saver.state().phase !== 'saved') throw new Error(t('testing.unsaved'));
      const outputs = outputsOf(test, {
        document,
        mocks,
        runId: recordedRun,
        recorded: atHand.recorded,
      });
      const body = { part, outputs, allow: [...test.allow], off: [...test.off], input: input ?? first };
      return api.startTest({ params: { flow }, body });
    },
    onSuccess: ({ runId }) => {
      testing.getState().set({
        asked: undefined,
        runId,
        marks: {},
        remembered: { input: input ?? first, chosen, mocks },
      });
    },
  });
  const node = asked.do === 'all' ? undefined : asked.node;
  const unwritten = test.rows.filter(({ how, plan }) => how === 'mocked' && mocks[plan.node] === undefined);
  const isBroken = Object.entries(mocks).some(
    ([id, { output }]) =>
      isUnparsed(output) && test.rows.some(({ plan, how }) => plan.node === id && how === 'mocked'),
  );
  const refused = start.error instanceof ApiError ? start.error.problem.issues : undefined;
  return (
    <Dialog title={t('testing.title')} text={t('testing.text')} isWide onClose={close}>
      {node !== undefined && (
        <fieldset className={css.parts}>
          <legend>{t('testing.what')}</legend>
          {partsOf(node).map((each) => (
            <label key={each.do}>
              <input type="radio" name="part" checked={each.do === part.do} onChange={() => setPart(each)} />
              {wordsOf(each)}
            </label>
          ))}
        </fieldset>
      )}
      <section className={css.input}>
        <h3>{t('testing.input')}</h3>
        {isReady ? (
          <SchemaForm
            ref={form}
            label={t('testing.input')}
            schema={document.input}
            initial={first}
            onChange={setInput}
          />
        ) : (
          <p>{t('state.loading')}</p>
        )}
      </section>
      <section>
        <header className={css.planHead}>
          <h3>{t('testing.plan')}</h3>
          {earlier.runs.length > 0 && (
            <label className={css.earlier}>
              {t('testing.recordedFrom')}
              <select value={recordedRun} onChange={({ target }) => setFromRun(target.value)}>
                {earlier.runs.map(({ id, createdAt, status, mode }) => (
                  <option key={id} value={id}>
                    {`${new Date(createdAt).toLocaleString(i18n.language, { dateStyle: 'short', timeStyle: 'medium' })} · ${t(`runStatus.${status}`)}${mode ? ` · ${t('testing.test')}` : ''}`}
                  </option>
                ))}
              </select>
            </label>
          )}
        </header>
        <PlanList
          test={test}
          nameOf={(id) => findNode(document, id)?.node.title ?? id}
          depthOf={(id) => findNode(document, id)?.graph.length ?? 0}
          nodeOf={(id) => findNode(document, id)?.node}
          mocks={mocks}
          onChoose={(id: string, how: How) => setChosen((before) => ({ ...before, [id]: how }))}
          onMock={(id: string, mock: Mock | undefined) =>
            setMocks(({ [id]: _, ...others }) => (mock ? { ...others, [id]: mock } : others))
          }
        />
      </section>
      {test.plan.refusal && (
        <p role="alert" className={css.problem}>
          {t(`testing.refusal.${test.plan.refusal.code}`, {
            node: part.do === 'all' ? '' : (findNode(document, part.node)?.node.title ?? part.node),
          })}
        </p>
      )}
      {start.isError && (
        <IssueList
          title={t('testing.wrong')}
          issues={
            refused?.map(({ pointer, code, message, hint }) => ({ place: pointer, code, message, hint })) ?? [
              { place: '', message: start.error.message },
            ]
          }
        />
      )}
      <RoleNote needs="editor" />
      <DialogActions>
        <Button onClick={close}>{t('flows.cancel')}</Button>
        <Button
          look="primary"
          needs="editor"
          disabled={
            !isReady || start.isPending || test.plan.refusal !== undefined || unwritten.length > 0 || isBroken
          }
          onClick={() => form.current?.check() !== false && start.mutate()}
        >
          {t('testing.start')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const isUnparsed = (output: Json): boolean =>
  typeof output === 'object' && output !== null && '$unparsed' in output;
