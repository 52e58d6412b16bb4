import { ApiError, type ToolInfo } from '@pawl/api';
import type { Json } from '@pawl/dag-core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RoleNote } from '../../access/role-note.tsx';
import { api } from '../../api/client.ts';
import { sampleInput } from '../../flow-files/sample-input.ts';
import { type FormHandle, SchemaForm } from '../../forms/schema-form.tsx';
import { EffectBadge } from '../../graph/effect-badge.tsx';
import { toolRef } from '../../tools/tool-ref.ts';
import { Button } from '../../ui/button.tsx';
import { IssueList } from '../../ui/issue-list.tsx';
import part from './tool-screen.module.css';
import { TriedCall } from './tried-call.tsx';
import css from './try-tool.module.css';

/**
 * Calls the tool from here: says first what that would touch (rule 6 of the designer), and shows how it ended. What must not be repeated
 * is called only after a tick, which counts for one call.
 */
export function TryTool({ tool }: { readonly tool: ToolInfo }) {
  const { t } = useTranslation();
  const id = useId();
  const queries = useQueryClient();
  const ref = toolRef(tool);
  const sample = useMemo(() => sampleInput(tool.input), [tool.input]);
  const [given, setGiven] = useState<{ readonly value: Json | undefined }>();
  const [isAllowed, setAllowed] = useState(false);
  const [isFormThere, setFormThere] = useState(false);
  const form = useRef<FormHandle>(null);
  const args = given ? given.value : sample;
  const needsWord = tool.effect === 'non_repeatable';
  const call = useMutation({
    mutationFn: (value: Json) =>
      api.tryTool({ params: { tool: ref }, body: { args: value, ...(needsWord && { allow: isAllowed }) } }),
    onSettled: () => setAllowed(false),
  });
  const refused = call.error instanceof ApiError ? call.error.problem.issues : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (form.current?.check() && args !== undefined) call.mutate(args);
  };
  return (
    <section className={part.part} aria-labelledby={id}>
      <h3 id={id}>{t('tools.try.title')}</h3>
      <div className={css.sides}>
        <form className={css.form} onSubmit={submit} noValidate>
          <SchemaForm
            ref={(handle) => {
              form.current = handle;
              if (handle) setFormThere(true);
            }}
            label={t('tools.try.arguments')}
            schema={tool.input}
            initial={sample}
            onChange={(value) => {
              setGiven({ value });
              setAllowed(false);
            }}
          />
          <p className={part.note}>
            {t('tools.try.expressions')} <code>{'{{ secrets.NAME }}'}</code>
          </p>
          <p className={css.touches} data-effect={tool.effect}>
            <EffectBadge effect={tool.effect} compensates={tool.compensates} />
            <span>{t(`tools.try.touches.${tool.effect}`)}</span>
          </p>
          {needsWord && (
            <label className={css.allow}>
              <input
                type="checkbox"
                checked={isAllowed}
                onChange={({ target }) => setAllowed(target.checked)}
              />
              {t('tools.try.allow')}
            </label>
          )}
          {call.isError && (
            <IssueList
              title={t('tools.try.refused')}
              issues={
                refused?.map(({ pointer, code, message, hint }) => ({
                  place: pointer,
                  code,
                  message,
                  hint,
                })) ?? [{ place: '', message: call.error.message }]
              }
            />
          )}
          <RoleNote needs="editor" />
          <div>
            <Button
              type="submit"
              needs="editor"
              look={needsWord ? 'danger' : 'primary'}
              disabled={!isFormThere || call.isPending || (needsWord && !isAllowed)}
            >
              {t(tool.effect === 'pure' ? 'tools.try.run' : 'tools.try.call')}
            </Button>
          </div>
        </form>
        {call.data && (
          <TriedCall
            key={call.data.runId}
            {...call.data}
            onEnd={() => void queries.invalidateQueries({ queryKey: ['tools', ref, 'use'] })}
          />
        )}
      </div>
    </section>
  );
}
