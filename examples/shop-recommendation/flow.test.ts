// Would catch: a wish that finds the wrong shops, a coupon service in trouble that stops or hides something, a reason that nobody
// gave, a recommendation saved twice after a crash, and stages that do not tell what happens.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Json } from '@pawl/dag-core';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodeArguments } from '../../apps/cli/src/repository.ts';
import { backends } from '../../test/support/backends.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import {
  type ExampleStage,
  effectsOf,
  exampleInput,
  modelAnswers,
  REPOSITORY,
  runToEnd,
  startExample,
} from '../../test/support/example-run.ts';
import { SHORT_TIMES } from '../../test/support/start-faulty.ts';
import data from './data/shops.json' with { type: 'json' };
import { startServices } from './services.ts';
import { followStages, type Stage } from './stages.ts';

const FLOW = 'shop-recommendation';
/** Shops of the example's wish whose coupons cannot be had. */
const TROUBLED = ['debate-tea', 'heron-tea', 'moss-court'];

interface Recommended {
  readonly id: string;
  readonly price: number;
  readonly coupon: string | null;
  readonly reason: string;
}
interface Output {
  readonly language: string;
  readonly understood: Record<string, Json>;
  readonly shops: readonly Recommended[];
  readonly couponsUnknown: readonly string[];
  readonly saved: number;
  readonly apology: string | null;
}

const byPath = <T extends { readonly path: string }>(entries: readonly T[]) =>
  [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));

describe.each(backends)('shop-recommendation, queue on %s', (queue) => {
  let database: TestDatabase;
  let services: Awaited<ReturnType<typeof startServices>>;
  let stage: ExampleStage;
  let shops: pg.Pool;
  beforeAll(async () => {
    database = await createTestDatabase();
    services = await startServices({ databaseUrl: database.url });
    shops = new pg.Pool({ connectionString: services.shopsUrl, max: 2 });
    stage = await startExample({ name: FLOW, workers: 1, queue, env: { ...SHORT_TIMES, ...services.env } });
  });
  afterAll(async () => {
    const differences = await stage?.rowsEqualFold();
    await stage?.stop();
    await shops?.end();
    await services?.stop();
    await database?.drop();
    expect(differences).toEqual([]);
  });

  async function recommend(wish: string, watch?: Parameters<typeof runToEnd>[2]) {
    const ended = await runToEnd(stage.client, { flow: FLOW, input: { wish } }, watch);
    return { ...ended, output: ended.run.output as unknown as Output };
  }

  const exampleWish = async () => ((await exampleInput(FLOW)) as { wish: string }).wish;

  const savedOf = async (runId: string) =>
    (
      await shops.query(
        'select shop_id, reason, coupon from recommendation where run_id = $1 order by place',
        [runId],
      )
    ).rows;

  /** What a crash must not change: everything but when it was, and what came first of what runs at once. */
  const whatItSays = ({ run, output }: Awaited<ReturnType<typeof recommend>>) => ({
    status: run.status,
    degraded: byPath(run.degraded),
    output,
  });

  let undisturbed: Awaited<ReturnType<typeof recommend>>;

  test('E10: a wish in Chinese finds the shops, and coupons that cannot be had make it partial and are named', async () => {
    undisturbed = await recommend(await exampleWish());
    const { run, output, events } = undisturbed;
    expect(output.language).toBe('zh');
    expect(output.understood).toMatchObject({ category: 'teahouse', district: 'Lakeside', maxPrice: 100 });
    expect(output.shops).toHaveLength(5);
    expect(output.shops[0]!.id).toBe('heron-tea');
    expect(output.shops.every(({ price }) => price <= 100)).toBe(true);
    expect(run.status).toBe('partial');
    const looked = (
      await stage.client.getNodeRun({ params: { runId: run.id }, query: { path: 'findShops' } })
    ).output as { rows: { id: string }[] };
    const at = (id: string) => `lookUp/${looked.rows.findIndex((row) => row.id === id)}/findCoupons`;
    expect(byPath(run.degraded)).toEqual(
      byPath([
        { path: at('heron-tea'), reason: 'http_503' },
        { path: at('moss-court'), reason: 'http_500' },
        { path: at('debate-tea'), reason: 'timed_out' },
      ]),
    );
    expect([...output.couponsUnknown].sort()).toEqual(TROUBLED);
    expect(output.shops.find(({ id }) => id === 'three-locks-tea')!.coupon).toBe('满50元打九折');
    expect(modelAnswers(events).filter(({ intent }) => intent === undefined)).toEqual([]);
  });

  test('what is saved is what was recommended, and every reason comes from the shop', async () => {
    const { run, output } = undisturbed;
    expect(output.saved).toBe(5);
    expect(await savedOf(run.id)).toEqual(
      output.shops.map(({ id, reason, coupon }) => ({ shop_id: id, reason, coupon })),
    );
    for (const { id, reason } of output.shops) {
      const shop = data.shops.find((each) => each.id === id)!;
      const known = [shop.about.zh, ...shop.offers.map(({ zh }) => zh)].join('');
      const said = reason.match(/\p{Script=Han}{2,}/gu) ?? [];
      expect(said.length, reason).toBeGreaterThan(0);
      if (!/招牌|优惠|人均/.test(reason)) expect(known).toContain(said[0]);
    }
  });

  test('V2, V4: when the worker is killed again and again, the recommendation is the same and saved once', async () => {
    const moments = [
      'map.expanded lookUp',
      'intent.recorded giveReasons/2/giveReason',
      'intent.recorded save',
    ];
    const restarted: Promise<unknown>[] = [];
    const killed = await recommend(await exampleWish(), ({ type, path }) => {
      if (`${type} ${path}` !== moments[restarted.length]) return;
      const worker = stage.workers.at(-1)!;
      worker.kill('SIGKILL');
      restarted.push(worker.ended.then(() => stage.startWorker()));
    });
    await Promise.all(restarted);
    expect(restarted).toHaveLength(moments.length);
    expect(whatItSays(killed)).toEqual(whatItSays(undisturbed));
    expect(await savedOf(killed.run.id)).toEqual(await savedOf(undisturbed.run.id));
    const { keys, successes } = effectsOf(killed.events, 'save');
    expect({ keys: keys.size, successes }).toEqual({ keys: 1, successes: 1 });
  });

  if (queue !== backends[0]) return;

  test('K16: the same wish again asks the coupon service only for what it could not say', async () => {
    const before = services.coupons.asked.length;
    const again = await recommend(await exampleWish());
    expect(whatItSays(again)).toEqual(whatItSays(undisturbed));
    const asked = new Set(services.coupons.asked.slice(before));
    expect([...asked].sort()).toEqual(TROUBLED);
  });

  test('a wish in English finds the shops, with their names and reasons in English', async () => {
    const { run, output } = await recommend('A quiet vegetarian dinner by the canal, at most 80 yuan each');
    expect(output.understood).toMatchObject({ category: 'vegetarian', district: 'Canal', maxPrice: 80 });
    expect(output.shops[0]).toMatchObject({ id: 'duckweed', name: 'Duckweed' });
    expect(output.shops.every(({ price }) => price <= 80)).toBe(true);
    expect(output.shops.every(({ reason }) => !/\p{Script=Han}/u.test(reason))).toBe(true);
    expect(run.degraded).toContainEqual({ path: 'lookUp/0/findCoupons', reason: 'connection_lost' });
  });

  test('a word inside of a Chinese wish finds what is known for it', async () => {
    const { output } = await recommend('想给孩子买绘本的书店');
    expect(output.shops[0]!.id).toBe('paper-boat');
  });

  test('when nothing fits, the run says so, looks nothing up and saves nothing', async () => {
    for (const [wish, apology] of [
      ['zzz qqq', /^No shop fits/],
      ['港口的咖啡，10元以内', /^没有找到/],
    ] as const) {
      const before = services.coupons.asked.length;
      const { run, output } = await recommend(wish);
      expect(run.status).toBe('succeeded');
      expect(output).toMatchObject({
        shops: [],
        couponsUnknown: [],
        saved: 0,
        apology: expect.stringMatching(apology),
      });
      expect(services.coupons.asked).toHaveLength(before);
      expect(await savedOf(run.id)).toEqual([]);
    }
  });

  test('when the tills are mended, nothing is missing and the run succeeds', async () => {
    await fetch(`${services.coupons.url}/mend`, { method: 'POST' });
    const { run, output } = await recommend('火锅，朋友聚会，能吃到很晚');
    await fetch(`${services.coupons.url}/break`, { method: 'POST' });
    expect(run.status).toBe('succeeded');
    expect(output.couponsUnknown).toEqual([]);
    expect(output.shops[0]!.id).toBe('red-courtyard');
  });

  test('the event stream gives a front end its stages, in order, with how far they are', () => {
    const follow = followStages('en');
    const seen = undisturbed.events.flatMap((event) => follow(event));
    const of = (id: Stage['id']) => seen.filter((one) => one.id === id);
    const ids = ['wish', 'search', 'details', 'rank', 'reasons', 'save'] as const;
    expect(ids.map((id) => of(id)[0]!.status)).toEqual(ids.map(() => 'running'));
    expect(ids.map((id) => of(id).at(-1)!.status)).toEqual([
      'done',
      'done',
      'partly',
      'done',
      'done',
      'done',
    ]);
    expect(of('details').at(-1)!.items).toEqual({ done: 12, all: 12 });
    expect(of('reasons').at(-1)!.items).toEqual({ done: 5, all: 5 });
    const begun = ids.map((id) => seen.findIndex((one) => one.id === id));
    expect(begun).toEqual([...begun].sort((a, b) => a - b));
  });

  test('the script follows a run over its stream and prints its stages and what came of it', async () => {
    const script = join(REPOSITORY, 'examples', FLOW, 'stages.ts');
    const child = spawn(process.execPath, [...nodeArguments(script), '运河边的花店，送礼物'], {
      cwd: REPOSITORY,
      env: { ...process.env, PAWL_URL: stage.url },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const printed = await text(child.stdout);
    for (const line of ['✓ 理解您的愿望', '✓ 寻找店铺', '✓ 保存', '\nsucceeded\n', '1. 船上花园: '])
      expect(printed).toContain(line);
  });
});
