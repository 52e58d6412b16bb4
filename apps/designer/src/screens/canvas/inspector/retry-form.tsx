import type { ToolInfo } from '@pawl/api';
import type { RetryPolicy } from '@pawl/dag-core';
import { useTranslation } from 'react-i18next';
import { isObject } from '../../../inspecting/members.ts';
import { retryWaits } from '../../../inspecting/retry-waits.ts';
import { duration } from '../../../ui/amounts.ts';
import { NumberField } from '../fields.tsx';
import css from '../inspector.module.css';
import { useSetting } from './inspecting.ts';
import { JsonSetting } from './value-setting.tsx';

/** How often and when a failed try is made again: numbers, and what they mean in a sentence. */
export function RetryForm({
  pointer,
  usual,
  effect,
}: {
  /** Of the policy. */
  readonly pointer: string;
  /** What counts where the policy says nothing. */
  readonly usual: Required<RetryPolicy>;
  /** Of the tool that is called, where it is one. */
  readonly effect: ToolInfo['effect'] | undefined;
}) {
  const { t } = useTranslation();
  const { value } = useSetting(pointer);
  if (value !== undefined && !isObject(value))
    return <JsonSetting label={t('inspector.retry.title')} pointer={pointer} />;
  return (
    <fieldset className={css.group}>
      <legend>{t('inspector.retry.title')}</legend>
      <RetrySentence policy={{ ...usual, ...value }} isOwn={value !== undefined} effect={effect} />
      <div className={css.pair}>
        <RetryNumber pointer={pointer} name="maxAttempts" usual={usual.maxAttempts} />
        <RetryNumber pointer={pointer} name="initialMs" usual={usual.initialMs} factor={1_000} />
        <RetryNumber pointer={pointer} name="factor" usual={usual.factor} />
        <RetryNumber pointer={pointer} name="maxMs" usual={usual.maxMs} factor={1_000} />
      </div>
    </fieldset>
  );
}

function RetryNumber({
  pointer,
  name,
  usual,
  factor = 1,
}: {
  readonly pointer: string;
  readonly name: 'maxAttempts' | 'initialMs' | 'factor' | 'maxMs';
  readonly usual: number;
  readonly factor?: number;
}) {
  const { t } = useTranslation();
  const { value, type } = useSetting(`${pointer}/${name}`);
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

function RetrySentence({
  policy,
  isOwn,
  effect,
}: {
  readonly policy: RetryPolicy;
  readonly isOwn: boolean;
  readonly effect: ToolInfo['effect'] | undefined;
}) {
  const { t } = useTranslation();
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
