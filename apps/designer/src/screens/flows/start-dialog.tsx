import { ApiError } from '@pawl/api';
import { type Json, type JsonObject, type JsonSchema, parseJson } from '@pawl/dag-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { curlLine } from '../../flow-files/curl-line.ts';
import { sampleInput } from '../../flow-files/sample-input.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { IssueList } from '../../ui/issue-list.tsx';
import css from './flow-dialog.module.css';

/** Starts a run of a flow's published version, and shows the call that does the same. */
export function StartDialog({
  flow,
  version,
  onClose,
}: {
  readonly flow: string;
  readonly version: string;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [typed, setTyped] = useState<string>();
  const [isCopied, setCopied] = useState(false);
  const loaded = useQuery({
    queryKey: ['version', flow, version],
    queryFn: ({ signal }) => api.getVersion({ params: { flow, versionId: version }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const schema = loaded.data?.document.input;
  const text = typed ?? (loaded.data ? JSON.stringify(sampleInput(schema), undefined, 2) : '');
  const { value: input, issues: unreadable } = parseJson(text, { bigIntegers: 'refuse' });
  const start = useMutation({
    mutationFn: (value: Json) =>
      api.startRun({ body: { flow, input: value, trigger: 'designer' }, headers: {} }),
    onSuccess: ({ runId }) => navigate({ to: '/runs/$runId', params: { runId } }),
  });
  const refused = start.error instanceof ApiError ? start.error.problem.issues : undefined;
  const command = input === undefined ? undefined : curlLine(location.origin, flow, input);
  return (
    <Dialog title={t('flows.start.title', { flow })} text={t('flows.start.version')} onClose={onClose}>
      <div className={css.form}>
        {loaded.isError && <p role="alert">{loaded.error.message}</p>}
        {loaded.isPending && <p>{t('state.loading')}</p>}
        {loaded.isSuccess && (
          <Field
            label={t('flows.start.input')}
            hint={schema === undefined ? t('flows.start.noSchema') : <Takes schema={schema} />}
            problem={unreadable?.[0]?.message}
          >
            <textarea
              value={text}
              spellCheck={false}
              aria-invalid={unreadable !== undefined}
              onChange={({ target }) => {
                setTyped(target.value);
                start.reset();
              }}
            />
          </Field>
        )}
        {start.isError && (
          <IssueList
            title={t('flows.start.wrong')}
            issues={
              refused?.map(({ pointer, message, hint }) => ({ place: pointer, message, hint })) ?? [
                { place: '', message: start.error.message },
              ]
            }
          />
        )}
        {command !== undefined && (
          <section className={css.shell}>
            <span>{t('flows.start.curl')}</span>
            <Button
              onClick={async () => {
                await navigator.clipboard.writeText(command);
                setCopied(true);
              }}
              onBlur={() => setCopied(false)}
            >
              <span aria-live="polite">{t(isCopied ? 'flows.start.copied' : 'flows.start.copy')}</span>
            </Button>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys. */}
            <pre tabIndex={0}>{command}</pre>
          </section>
        )}
      </div>
      <DialogActions>
        <Button onClick={onClose}>{t('flows.cancel')}</Button>
        <Button
          look="primary"
          disabled={!loaded.isSuccess || input === undefined || start.isPending}
          onClick={() => input !== undefined && start.mutate(input)}
        >
          {t('flows.start.start')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** The members that an input has, in a line. */
function Takes({ schema }: { readonly schema: JsonSchema }) {
  const { t } = useTranslation();
  const { properties = {}, required = [] } = (typeof schema === 'object' ? schema : {}) as JsonObject;
  const fields = Object.entries(properties as Record<string, JsonObject>).map(([name, { type }]) => {
    const kind = typeof type === 'string' ? ` (${type})` : '';
    return `${name}${kind}${(required as string[]).includes(name) ? ' *' : ''}`;
  });
  return fields.length === 0 ? null : t('flows.start.fields', { fields: fields.join(', ') });
}
