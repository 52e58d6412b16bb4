import { ApiError } from '@pawl/api';
import type { Json } from '@pawl/dag-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RoleNote } from '../../access/role-note.tsx';
import { api } from '../../api/client.ts';
import { curlLine } from '../../flow-files/curl-line.ts';
import { sampleInput } from '../../flow-files/sample-input.ts';
import { type FormHandle, SchemaForm } from '../../forms/schema-form.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { IssueList } from '../../ui/issue-list.tsx';
import { ShellLine } from '../../ui/shell-line.tsx';
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
  const form = useRef<FormHandle>(null);
  // Its code comes when it is first needed.
  const [isFormThere, setFormThere] = useState(false);
  const [given, setGiven] = useState<{ readonly value: Json | undefined }>();
  const loaded = useQuery({
    queryKey: ['version', flow, version],
    queryFn: ({ signal }) => api.getVersion({ params: { flow, versionId: version }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const schema = loaded.data?.document.input;
  const sample = useMemo(() => sampleInput(schema), [schema]);
  const input = given ? given.value : sample;
  const start = useMutation({
    mutationFn: (value: Json) =>
      api.startRun({ body: { flow, input: value, trigger: 'designer' }, headers: {} }),
    onSuccess: ({ runId }) => navigate({ to: '/runs/$runId', params: { runId } }),
  });
  const refused = start.error instanceof ApiError ? start.error.problem.issues : undefined;
  return (
    <Dialog title={t('flows.start.title', { flow })} text={t('flows.start.version')} onClose={onClose}>
      <div className={css.form}>
        {loaded.isError && <p role="alert">{loaded.error.message}</p>}
        {loaded.isPending && <p>{t('state.loading')}</p>}
        {loaded.isSuccess && (
          <>
            {schema === undefined && <p className={css.about}>{t('flows.start.noSchema')}</p>}
            <SchemaForm
              ref={(handle) => {
                form.current = handle;
                if (handle) setFormThere(true);
              }}
              label={t('flows.start.input')}
              schema={schema}
              initial={sample}
              onChange={(value) => {
                setGiven({ value });
                start.reset();
              }}
            />
          </>
        )}
        {start.isError && (
          <IssueList
            title={t('flows.start.wrong')}
            issues={
              refused?.map(({ pointer, code, message, hint }) => ({
                place: pointer,
                code,
                message,
                hint,
              })) ?? [{ place: '', message: start.error.message }]
            }
          />
        )}
        {loaded.isSuccess && input !== undefined && (
          <ShellLine title={t('flows.start.curl')} command={curlLine(location.origin, flow, input)} />
        )}
        <RoleNote needs="operator" />
      </div>
      <DialogActions>
        <Button onClick={onClose}>{t('flows.cancel')}</Button>
        <Button
          look="primary"
          needs="operator"
          disabled={!isFormThere || start.isPending}
          onClick={() => form.current?.check() && input !== undefined && start.mutate(input)}
        >
          {t('flows.start.start')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
