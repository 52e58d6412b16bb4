// Would catch: something bought that was taken out of the cart, a card charged twice or for nothing, stock that is lost or sold twice,
// a failure that leaves anything behind, a receipt that is mailed twice or stops an order.
import type { RecordedEvent } from '@pawl/dag-core';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backends } from '../../test/support/backends.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { type ExampleStage, effectsOf, runToEnd, startExample } from '../../test/support/example-run.ts';
import { endOf } from '../../test/support/run-to-end.ts';
import { SHORT_TIMES } from '../../test/support/start-faulty.ts';
import data from './data/shop.json' with { type: 'json' };
import { startServices } from './services.ts';

const FLOW = 'checkout';

describe.each(backends)('checkout, queue on %s', (queue) => {
  let database: TestDatabase;
  let services: Awaited<ReturnType<typeof startServices>>;
  let shop: pg.Pool;
  let stage: ExampleStage;
  beforeAll(async () => {
    database = await createTestDatabase();
    services = await startServices({ databaseUrl: database.url });
    shop = new pg.Pool({ connectionString: services.shopUrl, max: 2 });
    stage = await startExample({ name: FLOW, workers: 1, queue, env: { ...SHORT_TIMES, ...services.env } });
  });
  afterAll(async () => {
    const differences = await stage?.rowsEqualFold();
    const books = shop && (await booksOf());
    await stage?.stop();
    await shop?.end();
    await services?.stop();
    await database?.drop();
    expect(differences).toEqual([]);
    // Whatever failed: what is not on the shelves was bought, and what was bought was paid.
    expect(books).toEqual({ stock: true, money: true, reserved: 0, locked: 0 });
  });

  async function booksOf() {
    const { rows: products } = await shop.query<{ sku: string; stock: number }>(
      'select sku, stock from product',
    );
    const { rows: purchases } = await shop.query<{
      charge_id: string;
      total_cents: number;
      lines: { sku: string; quantity: number }[];
    }>('select charge_id, total_cents, lines from purchase');
    const sold = (sku: string) =>
      purchases
        .flatMap(({ lines }) => lines)
        .reduce((sum, line) => sum + (line.sku === sku ? line.quantity : 0), 0);
    const { rows } = await shop.query<{ reserved: number; locked: number }>(
      `select (select count(*)::int from reservation) as reserved,
         (select count(*)::int from cart where is_locked) as locked`,
    );
    const kept = services.cards.charges.filter(({ isPaidBack }) => !isPaidBack);
    return {
      stock: data.products.every(
        ({ sku, stock }) => stock - sold(sku) === products.find((each) => each.sku === sku)?.stock,
      ),
      money:
        kept.length === purchases.length &&
        purchases.every(({ charge_id: id, total_cents: cents }) =>
          kept.some((charge) => charge.chargeId === id && charge.cents === cents),
        ),
      ...rows[0],
    };
  }

  const buy = (cart: string, watch?: (event: RecordedEvent) => void) =>
    runToEnd(stage.client, { flow: FLOW, input: { cart } }, watch);
  const chargesOf = (card: string) =>
    services.cards.charges
      .filter((charge) => charge.card === card)
      .map(({ cents, isPaidBack }) => [cents, isPaidBack]);
  const mailsTo = (address: string) => services.mail.taken.filter(({ to }) => to.includes(address));
  const linesOf = async (cart: string) =>
    (await shop.query('select sku, quantity from cart_line where cart_id = $1 order by sku', [cart])).rows;
  const undone = (events: readonly RecordedEvent[]) =>
    events.flatMap(({ type, path }) =>
      type === 'outcome.succeeded' && path.endsWith('/undo') ? [path] : [],
    );

  /** The open question of a run, once it is asked. */
  async function questionOf(runId: string) {
    const open = async () => (await stage.client.listInbox({ query: { runId } })).items;
    await expect.poll(async () => (await open()).length).toBe(1);
    return (await open())[0]!;
  }

  test('what is in the cart is reserved, paid, bought, and told by mail', async () => {
    const { run } = await buy('c-1001');
    expect(run).toMatchObject({ status: 'succeeded', output: { totalCents: 6200, receiptSent: true } });
    expect(chargesOf('card_ida')).toEqual([[6200, false]]);
    expect(await linesOf('c-1001')).toEqual([]);
    const mails = mailsTo('ida@lanwan.example');
    expect(mails).toHaveLength(1);
    expect(mails[0]!.text).toContain('2 Stoneware mug: 38.00');
  });

  /** Nobody but a person can look whether a mail was sent; the tool of a charge looks itself. */
  async function settleMail(runId: string): Promise<void> {
    const { question, effect } = await questionOf(runId);
    const body =
      mailsTo((effect!.request as { to: string }).to).length > 0
        ? ({ decision: 'happened', output: null } as const)
        : ({ decision: 'did_not_happen' } as const);
    // "Did not happen" is taken once the lost worker is proven to have ended.
    await expect
      .poll(() =>
        stage.client.answerQuestion({ params: { question }, body }).then(({ state }) => state, String),
      )
      .toBe('answered');
  }

  test('V2, V4: when the worker is killed again and again, it is bought, paid and told once', async () => {
    const moments = ['intent.recorded reserve', 'intent.recorded lockCart', 'outcome.succeeded charge'];
    const done: Promise<unknown>[] = [];
    let kills = 0;
    const { runId } = await stage.client.startRun({ body: { flow: FLOW, input: { cart: 'c-1002' } } });
    const events: RecordedEvent[] = [];
    for await (const signal of stage.client.runEvents(runId)) {
      if (signal.kind !== 'event') continue;
      const { type, path, data: fact } = signal.event;
      events.push(signal.event);
      if (`${type} ${path}` === moments[kills]) {
        kills += 1;
        done.push(stage.replaceWorkers());
      }
      // The worker may have gone on to the mail before it was killed.
      if (type === 'attempt.lost' && fact.next === 'uncertain' && path === 'mailReceipt')
        done.push(settleMail(runId));
    }
    await Promise.all(done);
    expect(kills).toBe(moments.length);
    expect(await stage.client.getRun({ params: { runId } })).toMatchObject({
      status: 'succeeded',
      output: { totalCents: 3400 },
    });
    expect(chargesOf('card_jo')).toEqual([[3400, false]]);
    for (const node of ['reserve', 'lockCart', 'placeOrder'])
      expect(effectsOf(events, node)).toMatchObject({ keys: { size: 1 }, successes: 1 });
    expect(mailsTo('jo@lanwan.example')).toHaveLength(1);
  });

  if (queue !== backends[0]) return;

  test('what is taken out of the cart while the customer is asked is not bought, and is back on the shelf', async () => {
    const { runId } = await stage.client.startRun({ body: { flow: FLOW, input: { cart: 'c-1003' } } });
    const { question, subject } = await questionOf(runId);
    expect(subject).toContain('268.00');
    await shop.query("delete from cart_line where cart_id = 'c-1003' and sku = 'vase'");
    await shop.query("update cart_line set quantity = 1 where cart_id = 'c-1003' and sku = 'teapot'");
    await stage.client.answerQuestion({ params: { question }, body: { decision: 'approved' } });
    const { run } = await endOf(stage, runId);
    expect(run).toMatchObject({
      status: 'succeeded',
      output: { totalCents: 2900, bought: [{ sku: 'teapot', quantity: 1 }] },
    });
    expect(chargesOf('card_kit')).toEqual([[2900, false]]);
    expect(await booksOf()).toMatchObject({ stock: true, money: true });
  });

  test('S2: a card that is declined leaves nothing behind', async () => {
    const { run, events } = await buy('c-1004');
    expect(run).toMatchObject({
      status: 'failed',
      failure: { code: 'card_declined' },
      compensation: { left: [] },
    });
    expect(undone(events)).toEqual(['lockCart/undo', 'reserve/undo']);
    expect(await linesOf('c-1004')).toEqual([{ sku: 'teapot', quantity: 1 }]);
    expect(mailsTo('lou@lanwan.example')).toEqual([]);
  });

  test('S2, S3: when the order cannot be placed, the money is paid back first, also when the worker dies meanwhile', async () => {
    let killed: Promise<void> | undefined;
    const { run, events } = await buy('c-1005', ({ type, path }) => {
      if (type === 'intent.recorded' && path === 'lockCart/undo') killed ??= stage.replaceWorkers();
    });
    await killed;
    expect(killed).toBeDefined();
    expect(run).toMatchObject({ status: 'failed', failure: { code: 'customer_blocked' } });
    expect(undone(events)).toEqual(['charge/undo', 'lockCart/undo', 'reserve/undo']);
    expect(chargesOf('card_mo')).toEqual([[5300, true]]);
    expect(await linesOf('c-1005')).toHaveLength(2);
  });

  test('what the customer does not confirm is put back', async () => {
    const { runId } = await stage.client.startRun({ body: { flow: FLOW, input: { cart: 'c-1006' } } });
    const { question } = await questionOf(runId);
    await stage.client.answerQuestion({ params: { question }, body: { decision: 'rejected' } });
    const { run, events } = await endOf(stage, runId);
    expect(run.status).toBe('failed');
    expect(undone(events)).toEqual(['reserve/undo']);
    expect(chargesOf('card_nia')).toEqual([]);
  });

  test('what is not there is not reserved, not even the rest of the cart', async () => {
    const { run, events } = await buy('c-1007');
    expect(run).toMatchObject({
      status: 'failed',
      failure: { code: 'out_of_stock', message: expect.stringContaining('Oval platter') },
    });
    expect(undone(events)).toEqual([]);
    expect(await booksOf()).toMatchObject({ stock: true, reserved: 0 });
  });

  test('E10: a receipt that nobody takes does not undo the order', async () => {
    const { run } = await buy('c-1008');
    expect(run).toMatchObject({ status: 'partial', output: { totalCents: 4800, receiptSent: false } });
    expect(chargesOf('card_pia')).toEqual([[4800, false]]);
  });

  test('S1: cancelled while its receipt is handed over, the whole order is taken back, the last thing first', async () => {
    const held = services.mail.holdNextMail();
    const { runId } = await stage.client.startRun({ body: { flow: FLOW, input: { cart: 'c-1010' } } });
    await held.arrived;
    await stage.client.cancelRun({ params: { runId }, body: { compensate: true } });
    const { run, events } = await endOf(stage, runId);
    held.release();
    expect(run.status).toBe('cancelled');
    expect(undone(events)).toEqual(['placeOrder/undo', 'charge/undo', 'lockCart/undo', 'reserve/undo']);
    expect(chargesOf('card_rae')).toEqual([[4800, true]]);
    expect(await linesOf('c-1010')).toEqual([{ sku: 'jug', quantity: 2 }]);
    expect(mailsTo('rae@lanwan.example')).toEqual([]);
  });

  test('V5, T20: a charge whose answer is lost with its worker is looked up, and made once', async () => {
    const held = services.cards.holdNextCharge();
    const { runId } = await stage.client.startRun({ body: { flow: FLOW, input: { cart: 'c-1009' } } });
    await held.made;
    await stage.replaceWorkers();
    held.release();
    const { run, events } = await endOf(stage, runId);
    expect(run).toMatchObject({ status: 'succeeded', output: { totalCents: 5300 } });
    expect(events.find(({ type }) => type === 'probe.answered')).toMatchObject({ data: { says: 'applied' } });
    expect(events.filter(({ type }) => type === 'inbox.answered')).toEqual([]);
    expect(chargesOf('card_quin')).toEqual([[5300, false]]);
  });
});
