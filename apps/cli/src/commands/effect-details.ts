import type { EffectDetail } from '../api-types.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../output/json-text.ts';
import { pairs } from '../output/table.ts';
import { oneLine } from '../output/text-width.ts';
import { count } from '../output/values.ts';

/** One effect, name by name, and its payloads as JSON. */
export function effectDetails(effect: EffectDetail, { colours }: Io): string {
  const { failure, settledBy } = effect;
  const head = pairs(
    [
      ['effect', effect.id],
      ['flow', `${effect.flow}, version ${effect.version.slice(0, 12)}`],
      ['node run', `${effect.path}, attempt ${effect.attempt}, call ${effect.call}`],
      ['target', `${effect.target} (${effect.effect})`],
      ['key', effect.key],
      ['sent', effect.at],
      ['by worker', effect.workerId],
      ['status', effect.doubt ? `${effect.status}, in doubt` : effect.status],
      ['ended', effect.endedAt],
      ['answered late', effect.lateAt],
      ['failure', failure && oneLine(`${failure.code} (${failure.class}) ${failure.message ?? ''}`)],
      ['settled', settledBy && `as ${effect.settledAs} by ${settledBy}`],
      ['run started by', effect.startedBy],
      ['its service says', effect.effectId],
      ['cost', effect.costUsd === undefined ? undefined : `$${effect.costUsd}`],
      ['tokens', effect.tokens === undefined ? undefined : count(effect.tokens)],
      ['hash of arguments', effect.requestHash],
      ['hash of output', effect.outputHash],
      ['note', effect.receipt && 'a receipt: the run was dropped, and its payloads with it'],
    ],
    colours.dim,
  );
  const late = effect.late?.output ?? effect.late?.failure;
  return (
    head +
    payload('arguments', effect.request) +
    payload('output', effect.output) +
    payload('late answer', late)
  );

  function payload(name: string, value: Parameters<typeof jsonText>[0] | undefined): string {
    return value === undefined ? '' : `\n${colours.dim(name)}\n${jsonText(value)}\n`;
  }
}
