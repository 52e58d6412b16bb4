// The stages of a recommendation as a front end shows them: followed over the event stream of the run with the typed client.
// node scripts/run.js examples/shop-recommendation/stages.ts "a wish"
import { pathToFileURL } from 'node:url';
import { createClient } from '@pawl/api';
import type { RecordedEvent } from '@pawl/dag-core';
import { runningEngine } from '../../apps/cli/src/dev/running-dev.ts';

/** One stage: some nodes of the flow, by their ids, which stay when titles are worded anew. */
const STAGES = [
  { id: 'wish', nodes: ['readWish', 'checkWish'], en: 'Understanding your wish', zh: '理解您的愿望' },
  { id: 'search', nodes: ['findShops', 'anyFound'], en: 'Looking for shops', zh: '寻找店铺' },
  { id: 'details', nodes: ['lookUp'], en: 'Details and coupons', zh: '查看详情和优惠' },
  { id: 'rank', nodes: ['rank'], en: 'Ranking', zh: '排序' },
  { id: 'reasons', nodes: ['giveReasons', 'compose'], en: 'Giving reasons', zh: '说明理由' },
  { id: 'save', nodes: ['save'], en: 'Saving', zh: '保存' },
] as const;

/** `partly`: it ended, and something in it could not be had. */
export type StageStatus = 'pending' | 'running' | 'done' | 'partly' | 'failed' | 'skipped';

export interface Stage {
  readonly id: (typeof STAGES)[number]['id'];
  readonly title: string;
  readonly status: StageStatus;
  /** Of a stage that goes through several shops: how many are done of how many. */
  readonly items?: { readonly done: number; readonly all: number };
}

interface Following extends Omit<Stage, 'status' | 'items'> {
  status: StageStatus;
  items?: { done: number; all: number };
  readonly open: Set<string>;
  hasGap: boolean;
}

/**
 * Follows the stages of one run.
 *
 * @returns what takes one event of its journal in and gives the stages that it changed; each event once, in order
 */
export function followStages(language: 'en' | 'zh'): (event: RecordedEvent) => readonly Stage[] {
  const stages: Following[] = STAGES.map((stage) => ({
    id: stage.id,
    title: stage[language],
    status: 'pending',
    open: new Set(stage.nodes),
    hasGap: false,
  }));
  return (event) => {
    const before = stages.map(shown);
    applyEvent(stages, event);
    return stages.map(shown).filter((stage, at) => JSON.stringify(stage) !== JSON.stringify(before[at]));
  };
}

function applyEvent(stages: Following[], event: RecordedEvent): void {
  if (event.type === 'run.admitted') stages[0]!.status = 'running';
  // `lookUp`: the node itself · `lookUp/3`: one shop · `lookUp/3/findCoupons`: what is done for it.
  const [node = '', item, inner] = event.path.split('/');
  const at = STAGES.findIndex(({ nodes }) => (nodes as readonly string[]).includes(node));
  const stage = stages[at];
  if (!stage) return;
  if (event.type === 'map.expanded') stage.items = { done: 0, all: event.data.count };
  if (item !== undefined && inner === undefined && event.type === 'outcome.succeeded') stage.items!.done += 1;
  const isGap =
    (event.type === 'outcome.succeeded' && event.data.degraded !== undefined) ||
    (event.type === 'outcome.failed' && event.data.next === 'fallback');
  if (isGap) stage.hasGap = true;
  if (item !== undefined) return;
  const isFailed = event.type === 'outcome.failed' && event.data.next === 'stop';
  const isSkipped = event.type === 'nodeRun.skipped';
  const isEnd = event.type === 'outcome.succeeded' || isGap || isFailed || isSkipped;
  if (!isEnd || !stage.open.delete(node)) return;
  if (isFailed) stage.status = 'failed';
  else if (stage.open.size === 0) {
    stage.status = isSkipped ? 'skipped' : stage.hasGap ? 'partly' : 'done';
    const next = stages[at + 1];
    if (next?.status === 'pending') next.status = 'running';
  }
}

const shown = ({ id, title, status, items }: Following): Stage => ({
  id,
  title,
  status,
  ...(items && { items: { ...items } }),
});

const SIGNS = { pending: ' ', running: '…', done: '✓', partly: '~', failed: '✗', skipped: '–' } as const;

const lineOf = ({ title, status, items }: Stage): string =>
  `${SIGNS[status]} ${title}${items ? ` ${items.done}/${items.all}` : ''}`;

async function main(wish: string): Promise<void> {
  const baseUrl = process.env.PAWL_URL ?? runningEngine(process.cwd()) ?? 'http://127.0.0.1:7420';
  const client = createClient({
    baseUrl,
    ...(process.env.PAWL_API_KEY && { apiKey: process.env.PAWL_API_KEY }),
  });
  const { runId } = await client.startRun({ body: { flow: 'shop-recommendation', input: { wish } } });
  const follow = followStages(/\p{Script=Han}/u.test(wish) ? 'zh' : 'en');
  for await (const signal of client.runEvents(runId)) {
    if (signal.kind !== 'event') continue;
    for (const stage of follow(signal.event)) console.log(lineOf(stage));
  }
  const { status, output, degraded } = await client.getRun({ params: { runId } });
  const { shops = [], apology } = (output ?? {}) as {
    shops?: { name: string; reason: string }[];
    apology?: string | null;
  };
  console.log(`\n${status}`);
  for (const { path, reason } of degraded) console.log(`  ${path}: ${reason}`);
  for (const [at, { name, reason }] of shops.entries()) console.log(`${at + 1}. ${name}: ${reason}`);
  if (apology) console.log(apology);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await main(
    process.argv.slice(2).join(' ') || 'A quiet vegetarian dinner by the canal, at most 80 yuan each',
  );
