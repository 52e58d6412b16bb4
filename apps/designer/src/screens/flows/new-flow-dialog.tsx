import type { ListedFlow } from '@pawl/api';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isFlowName, nameFrom } from '../../flow-files/flow-name.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { createFlow } from './create-flow.ts';
import css from './flow-dialog.module.css';

/** Asks for a title and a name, which follows the title until it is typed. */
export function NewFlowDialog({
  flows,
  onClose,
}: {
  readonly flows: readonly ListedFlow[];
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [title, setTitle] = useState('');
  const [typedName, setTypedName] = useState<string>();
  const name = typedName ?? nameFrom(title);
  const create = useMutation({
    mutationFn: () =>
      createFlow({
        format: 'pawl/1',
        name,
        ...(title.trim() && { title: title.trim() }),
        nodes: [],
        edges: [],
      }),
    onSuccess: () => navigate({ to: '/flows/$flow', params: { flow: name } }),
  });
  // The flow that is being made here is in the list before this dialog has gone.
  const isTaken = (create.isIdle || create.isError) && flows.some((flow) => flow.name === name);
  const wrong = isTaken ? t('flows.nameTaken') : name && !isFlowName(name) ? t('flows.nameWrong') : undefined;
  return (
    <Dialog title={t('flows.newTitle')} onClose={onClose}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Field label={t('flows.flowTitle')}>
          <input value={title} maxLength={200} onChange={({ target }) => setTitle(target.value)} />
        </Field>
        <Field label={t('flows.name')} hint={t('flows.nameHint')} problem={wrong ?? create.error?.message}>
          <input
            className={css.mono}
            value={name}
            maxLength={100}
            required
            spellCheck={false}
            aria-invalid={wrong !== undefined}
            onChange={({ target }) => setTypedName(target.value)}
          />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>{t('flows.cancel')}</Button>
          <Button type="submit" look="primary" disabled={!isFlowName(name) || isTaken || create.isPending}>
            {t('flows.create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
