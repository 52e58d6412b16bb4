import { kindOf, type RetryPolicy } from '@pawl/dag-core';
import { useTranslation } from 'react-i18next';
import { retryWaits } from '../../../inspecting/retry-waits.ts';
import { duration } from '../../../ui/amounts.ts';
import { NumberField } from '../fields.tsx';
import css from '../inspector.module.css';
import { useInspected, useSetting } from './inspecting.ts';

/** How often and when a failed try is made again: numbers, and what they mean in a sentence. */
export function RetryForm() {
  const { t } = useTranslation();
  const { node } = useInspected();
  const usual = kindOf(node).defaultRetry;
  return (
    <fieldset className={css.group}>
      <legend>{t('inspector.retry.title')}</legend>
      <RetrySentence policy={{ ...usual, ...node.retry }} isOwn={node.retry !== undefined} />
      <div className={css.pair}>
        <RetryNumber name="maxAttempts" usual={usual.maxAttempts} />
        <RetryNumber name="initialMs" usual={usual.initialMs} factor={1_000} />
        <RetryNumber name="factor" usual={usual.factor} />
        <RetryNumber name="maxMs" usual={usual.maxMs} factor={1_000} />
      </div>
    </fieldset>
  );
}

function RetryNumber({
  name,
  usual,
  factor = 1,
}: {
  readonly name: 'maxAttempts' | 'initialMs' | 'factor' | 'maxMs';
  readonly usual: number;
  readonly factor?: number;
}) {
  const { t } = useTranslation();
  const { value, type } = useSetting(`/retry/${name}`);
  return (
    <NumberField
      label={t(`inspector.retry.${name}`)}
      value={value}
      factor={factor}
      is={name === 'factor' ? 'share' : 'whole'}
      placeholder={String(usual / factor)}
      onChange={type}
    />
  );
}

function RetrySentence({ policy, isOwn }: { readonly policy: RetryPolicy; readonly isOwn: boolean }) {
  const { t } = useTranslation();
  const { node, tools } = useInspected();
  const effect = node.kind === 'tool' ? tools.get(node.tool)?.effect : undefined;
  const waits = retryWaits(policy, 4);
  const tries = policy.maxAttempts! - 1;
  const times = waits.slice(0, 3).map((wait) => duration(wait).replace('.0 ', ' '));
  const then = times.join(t('inspector.retry.next'));
  return (
    <p className={css.about}>
      {waits.length === 0
        ? t('inspector.retry.never')
        : t(tries > times.length ? 'inspector.retry.manyTimes' : 'inspector.retry.times', {
            count: tries,
            waits: then,
          })}{' '}
      {!isOwn && t('inspector.retry.usual')}{' '}
      {effect === 'non_repeatable' && waits.length > 0 && t('inspector.retry.onlyCertain')}
    </p>
  );
}
