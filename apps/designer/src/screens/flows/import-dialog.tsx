import type { ListedFlow } from '@pawl/api';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { freeName, isFlowName, nameFrom } from '../../flow-files/flow-name.ts';
import { readFlowText } from '../../flow-files/read-flow-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { IssueList } from '../../ui/issue-list.tsx';
import { createFlow } from './create-flow.ts';
import css from './flow-dialog.module.css';

/** Reads the text of a flow, names its problems, and makes a draft of it. */
export function ImportDialog({
  text: given,
  flows,
  onClose,
}: {
  readonly text: string;
  readonly flows: readonly ListedFlow[];
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const file = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(given);
  const [typedName, setTypedName] = useState<string>();
  const asked = useDeferredValue(text);
  const read = useQuery({
    queryKey: ['readFlowText', asked],
    queryFn: () => readFlowText(asked),
    enabled: asked.trim() !== '',
    gcTime: 0,
  });
  const document = read.data?.document;
  const taken = new Set(flows.map((flow) => flow.name));
  const own = typeof document?.name === 'string' ? document.name : nameFrom(String(document?.title ?? ''));
  const name = typedName ?? freeName(own, taken);
  const isNameGood = isFlowName(name) && !taken.has(name);
  const check = useQuery({
    queryKey: ['validateFlow', asked, name],
    queryFn: ({ signal }) => api.validateFlow({ body: { ...document!, name } as never, signal }),
    enabled: document !== undefined && isNameGood,
    gcTime: 0,
  });
  const create = useMutation({
    mutationFn: () => createFlow({ ...document!, name }),
    onSuccess: () => navigate({ to: '/flows/$flow', params: { flow: name } }),
  });
  const issues = check.data?.issues ?? [];
  const isWhole = check.data?.versionId !== undefined;
  const nodes = Array.isArray(document?.nodes) ? document.nodes.length : 0;
  const wrong = taken.has(name) ? t('flows.nameTaken') : isFlowName(name) ? undefined : t('flows.nameWrong');
  return (
    <Dialog title={t('flows.importTitle')} text={t('flows.importText')} onClose={onClose}>
      <div className={css.form}>
        <Field label={t('flows.importSource')} hint={t('flows.importHint')}>
          <textarea value={text} spellCheck={false} onChange={({ target }) => setText(target.value)} />
        </Field>
        <Button className={css.file} onClick={() => file.current?.click()}>
          {t('flows.chooseFile')}
        </Button>
        <input
          ref={file}
          type="file"
          hidden
          accept=".yaml,.yml,.json"
          onChange={async ({ target }) => setText((await target.files?.[0]?.text()) ?? text)}
        />
        {read.data?.issues && <IssueList title={t('flows.unreadable')} issues={read.data.issues} />}
        {document && (
          <Field label={t('flows.name')} hint={t('flows.nodes', { count: nodes })} problem={wrong}>
            <input
              className={css.mono}
              value={name}
              maxLength={100}
              spellCheck={false}
              aria-invalid={wrong !== undefined}
              onChange={({ target }) => setTypedName(target.value)}
            />
          </Field>
        )}
        {issues.length > 0 && (
          <IssueList
            title={isWhole ? t('versions.warnings') : t('flows.problems', { count: issues.length })}
            issues={issues.map(({ pointer, code, message, hint }) => ({
              place: pointer || '/',
              code,
              message,
              hint,
            }))}
          />
        )}
        {check.data?.valid && <p className={css.fits}>{t('flows.fits')}</p>}
        {(create.error ?? check.error) && <p role="alert">{(create.error ?? check.error)?.message}</p>}
      </div>
      <DialogActions>
        <Button onClick={onClose}>{t('flows.cancel')}</Button>
        <Button
          look="primary"
          disabled={!document || !isNameGood || create.isPending}
          onClick={() => create.mutate()}
        >
          {t(issues.length > 0 && !isWhole ? 'flows.importAnyway' : 'flows.importDraft')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
