import { ApiError, type ToolInfo } from '@pawl/api';
import type { InboxDecision, Json } from '@pawl/dag-core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RoleNote } from '../../access/role-note.tsx';
import { api } from '../../api/client.ts';
import { type FormHandle, SchemaForm } from '../../forms/schema-form.tsx';
import { followsKey, type InboxQuestion } from '../../inbox/question.ts';
import { answerOf, type Given, whatItNeeds } from '../../inbox/what-it-needs.ts';
import { Button } from '../../ui/button.tsx';
import css from './question.module.css';

/** What may be decided, each with what follows from it; what a decision needs opens below it. */
export function Decide({
  question,
  tool,
  onConflict,
}: {
  readonly question: InboxQuestion;
  readonly tool: ToolInfo | undefined;
  readonly onConflict: () => void;
}) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  // An approval is mostly given; about what may have happened nobody should decide by reflex.
  const [chosen, setChosen] = useState<InboxDecision | undefined>(
    question.kind === 'approval' ? 'approved' : undefined,
  );
  const [given, setGiven] = useState<Given>({});
  const form = useRef<FormHandle>(null);
  const decision = chosen !== undefined && question.decisions.includes(chosen) ? chosen : undefined;
  const send = useMutation({
    mutationFn: (word: InboxDecision) =>
      api.answerQuestion({
        params: { question: question.question },
        body: answerOf(word, given) as Parameters<typeof api.answerQuestion>[0]['body'],
      }),
    onSuccess(answered) {
      queries.setQueryData(['inbox', 'question', question.question], answered);
      void queries.invalidateQueries({ queryKey: ['inbox', 'list'] });
      void queries.invalidateQueries({ queryKey: ['inbox', 'count'] });
    },
    onError(error) {
      if (error instanceof ApiError && (error.status === 409 || error.status === 410)) onConflict();
    },
  });
  const choose = (word: InboxDecision) => {
    setChosen(word);
    setGiven({});
    send.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (decision !== undefined && (form.current?.check() ?? true)) send.mutate(decision);
  };
  return (
    <form className={css.decide} onSubmit={submit} noValidate>
      <fieldset className={css.options}>
        <legend>{t('inbox.decide')}</legend>
        {question.decisions.map((word) => {
          const isChosen = word === decision;
          return (
            <div key={word} className={css.option} data-chosen={isChosen || undefined}>
              <label>
                <input type="radio" name="decision" checked={isChosen} onChange={() => choose(word)} />
                <span>
                  <strong>{t(`inbox.decisions.${word}`)}</strong>
                  <span className={css.follows}>
                    {t(`inbox.follows.${followsKey(question, word)}` as 'inbox.follows.approval.approved')}
                  </span>
                </span>
              </label>
              {isChosen && (
                <Needs
                  key={word}
                  decision={word}
                  question={question}
                  tool={tool}
                  formRef={form}
                  given={given}
                  onGive={setGiven}
                />
              )}
            </div>
          );
        })}
      </fieldset>
      {send.isError && <Refusal error={send.error} />}
      <RoleNote needs="operator" />
      <div className={css.actions}>
        <Button
          type="submit"
          needs="operator"
          look={decision === 'fail' || decision === 'rejected' ? 'danger' : 'primary'}
          disabled={decision === undefined || send.isPending}
        >
          {decision === undefined ? t('inbox.chooseFirst') : t(`inbox.decisions.${decision}`)}
        </Button>
      </div>
    </form>
  );
}

/** What a decision takes along: a form, a result, a reason. */
function Needs({
  decision,
  question,
  tool,
  formRef,
  given,
  onGive,
}: {
  readonly decision: InboxDecision;
  readonly question: InboxQuestion;
  readonly tool: ToolInfo | undefined;
  readonly formRef: React.Ref<FormHandle>;
  readonly given: Given;
  readonly onGive: (given: Given) => void;
}) {
  const { t } = useTranslation();
  // As it was when it was opened: evidence that comes meanwhile must not touch what is being typed.
  const [need] = useState(() => whatItNeeds(decision, question, tool));
  const [isOpen, setOpen] = useState(need.kind !== 'nothing' && need.kind !== 'reason' && !need.isOptional);
  if (need.kind === 'nothing') return null;
  if (need.kind === 'reason')
    return (
      <label className={css.reason}>
        {t('inbox.reason')}
        <textarea
          rows={3}
          maxLength={4_000}
          value={given.reason ?? ''}
          onChange={({ target }) => onGive({ reason: target.value })}
        />
      </label>
    );
  return (
    <div className={css.needs}>
      {need.isOptional && (
        <label className={css.change}>
          <input
            type="checkbox"
            checked={isOpen}
            onChange={({ target }) => {
              setOpen(target.checked);
              onGive(target.checked && need.initial !== undefined ? { value: need.initial } : {});
            }}
          />
          {t(`inbox.optional.${need.kind}`)}
        </label>
      )}
      {isOpen && (
        <SchemaForm
          ref={formRef}
          label={t(`inbox.give.${need.kind}`)}
          schema={need.schema}
          initial={need.initial}
          onChange={(value: Json | undefined) => onGive({ value })}
        />
      )}
    </div>
  );
}

/** Why a decision was not taken; of what was filled in, each place. */
function Refusal({ error }: { readonly error: Error }) {
  const { t } = useTranslation();
  const issues =
    error instanceof ApiError
      ? ((error.problem as { issues?: readonly { pointer: string; message: string }[] }).issues ?? [])
      : [];
  return (
    <div className={css.refusal} role="alert">
      <p>
        <strong>{t('inbox.notTaken')}</strong> {error.message}
      </p>
      {issues.length > 0 && (
        <ul>
          {issues.map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`}>
              <code>{pointer || '/'}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
