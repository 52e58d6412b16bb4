import type { EffectSummary } from '@pawl/run-store';

type Row = EffectSummary & { readonly request?: unknown };

/** Columns of the export; a new one is added at the end. */
const COLUMNS: readonly (readonly [string, (effect: Row) => unknown])[] = [
  ['id', (effect) => effect.id],
  ['at', (effect) => effect.at],
  ['flow', (effect) => effect.flow],
  ['version', (effect) => effect.version],
  ['run', (effect) => effect.runId],
  ['path', (effect) => effect.path],
  ['attempt', (effect) => effect.attempt],
  ['call', (effect) => effect.call],
  ['effect', (effect) => effect.effect],
  ['target', (effect) => effect.target],
  ['key', (effect) => effect.key],
  ['request_hash', (effect) => effect.requestHash],
  ['worker', (effect) => effect.workerId],
  ['status', (effect) => effect.status],
  ['ended_at', (effect) => effect.endedAt],
  ['late_at', (effect) => effect.lateAt],
  ['doubt', (effect) => effect.doubt],
  ['failure_code', (effect) => effect.failure?.code],
  ['failure_class', (effect) => effect.failure?.class],
  ['effect_id', (effect) => effect.effectId],
  ['cost_usd', (effect) => effect.costUsd],
  ['tokens', (effect) => effect.tokens],
  ['started_by', (effect) => effect.startedBy],
  ['settled_by', (effect) => effect.settledBy],
  ['settled_as', (effect) => effect.settledAs],
  ['receipt', (effect) => effect.receipt],
  ['request', (effect) => (effect.request === undefined ? undefined : JSON.stringify(effect.request))],
];

/** Effects as CSV (RFC 4180), the header first. */
export async function* effectCsv(effects: AsyncIterable<Row>): AsyncGenerator<string> {
  yield line(COLUMNS.map(([name]) => name));
  for await (const effect of effects) yield line(COLUMNS.map(([, of]) => of(effect)));
}

const line = (cells: readonly unknown[]): string => `${cells.map(cell).join(',')}\r\n`;

function cell(value: unknown): string {
  if (value === undefined) return '';
  const text = String(value);
  // Spreadsheets would compute a text that begins like a formula.
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
