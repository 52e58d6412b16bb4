import type { TFunction } from 'i18next';

/** The reasons for a doubt that have a sentence of their own; others are codes of failures. */
const KNOWN = {
  'its worker is gone': 'workerGone',
  'its process has ended': 'processEnded',
  'its worker does not know it': 'workerForgot',
  grace: 'grace',
} as const;

/** In a sentence, why nobody knows whether an effect happened. */
export function doubtText(t: TFunction, reason: string): string {
  const known = Object.hasOwn(KNOWN, reason) ? KNOWN[reason as keyof typeof KNOWN] : undefined;
  return known ? t(`doubt.${known}`) : t('doubt.noClearAnswer', { reason });
}
