/** A length of time in the units that a person would say it in: `340 ms`, `1.9 s`, `6 m 02 s`, `3 h 05 m`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} m ${two(seconds % 60)} s`;
  const minutes = Math.round(ms / 60_000);
  if (minutes < 2_880) return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} m`;
  return `${Math.round(minutes / 1_440)} d`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Money from nano-USD: `$0.0041`, `$1.20`; four places below ten cents. */
export function money(nanoUsd: number): string {
  const usd = nanoUsd / 1e9;
  return `$${usd !== 0 && Math.abs(usd) < 0.1 ? usd.toFixed(4) : usd.toFixed(2)}`;
}

/** A count that stays short: `812`, `8.4 k`, `1.2 M`. */
export function short(count: number): string {
  if (count < 1_000) return String(count);
  if (count < 1_000_000) return `${(count / 1_000).toFixed(1)} k`;
  return `${(count / 1_000_000).toFixed(1)} M`;
}

/** A length in bytes: `812 B`, `64 KB`, `1.2 MB`. */
export function size(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  if (bytes < 1_048_576) return `${Math.round(bytes / 1_024)} KB`;
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}
