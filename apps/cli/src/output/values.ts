/** `$0.0123`: four places below a dollar, two from there on; `–` when nothing was spent. */
export function money(nanoUsd: number): string {
  if (nanoUsd === 0) return '–';
  const usd = nanoUsd / 1e9;
  if (usd < 0.0001) return '<$0.0001';
  return `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
}

/** `1,234,567`. */
export const count = (value: number): string => value.toLocaleString('en-US');

/** `1 node run`, `2 node runs`. */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** `840 ms`, `12.4 s`, `3 min 05 s`, `2 h 07 min`, `3 d 4 h`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${pad(seconds % 60)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1_440) return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`;
  return `${Math.floor(minutes / 1_440)} d ${Math.floor((minutes % 1_440) / 60)} h`;
}

/** How long ago an instant (ISO 8601) was: `12 s ago`, `3 h ago`. */
export function ago(instant: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(instant)) / 1_000));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
}

/** First characters of a version id, enough to tell versions apart. */
export const shortVersion = (id: string): string => id.slice(0, 12);

const pad = (value: number): string => String(value).padStart(2, '0');

/** `512 B`, `1.5 kB`, `20 MB`: powers of 1000, two digits or three. */
export function size(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  for (; value >= 999.5 && unit < units.length - 1; unit++) value /= 1_000;
  return `${unit > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
