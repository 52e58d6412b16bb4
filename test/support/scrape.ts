/** Values of a scrape by their name and labels as they stand there, for instance `pawl_runs_ended_total{flow="f",status="failed"}`. */
export type Scrape = ReadonlyMap<string, number>;

/** Reads Prometheus text; fails on a line that is none, and on a name without help. */
export async function scrape(url: string): Promise<Scrape> {
  const response = await fetch(url);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  const values = new Map<string, number>();
  const helped = new Set<string>();
  for (const line of text.split('\n').filter(Boolean)) {
    const comment = /^# (HELP|TYPE) (\S+) .+$/.exec(line);
    if (comment) {
      helped.add(comment[2]!);
      continue;
    }
    const [, name = '', labels = '', value = ''] = /^([a-z_][\w:]*)(\{.*\})? (\S+)$/i.exec(line) ?? [];
    if (!helped.has(name.replace(/_(?:bucket|sum|count)$/, '')) && !helped.has(name))
      throw new Error(`A line of ${url} is no sample of a metric with help: ${line}`);
    values.set(`${name}${labels}`, Number(value));
  }
  return values;
}

/** The sum of what several processes say of a metric with these labels, whatever its others. */
export function sumOf(scrapes: readonly Scrape[], name: string, labels: Record<string, string> = {}): number {
  let sum = 0;
  for (const values of scrapes)
    for (const [key, value] of values) {
      const [, own, given = ''] = /^([^{]+)(?:\{(.*)\})?$/.exec(key)!;
      if (own !== name) continue;
      if (Object.entries(labels).every(([label, wanted]) => given.includes(`${label}="${wanted}"`)))
        sum += value;
    }
  return sum;
}
