import { type Json, NotAppliedError } from '@pawl/tool-sdk';
import pg from 'pg';

// What the tools do to the tables of the shop. Each call is one transaction that notes the key of its effect, so a second one with
// the key changes nothing and is given what the first one gave.

/** What is bought: one product, so many times. */
export interface Line {
  readonly sku: string;
  readonly name: string;
  readonly quantity: number;
  readonly cents: number;
}

let pool: pg.Pool | undefined;

async function inTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  pool ??= new pg.Pool({ connectionString: process.env.CHECKOUT_DATABASE_URL, max: 5 });
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/** Does `work` once for a key. What it throws undoes it. */
export const once = <T extends Json>(key: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  inTransaction(async (client) => {
    const { rowCount } = await client.query('insert into done (key) values ($1) on conflict do nothing', [
      key,
    ]);
    if (rowCount === 0) {
      const { rows } = await client.query<{ result: T }>('select result from done where key = $1', [key]);
      return rows[0]!.result;
    }
    const result = await work(client);
    await client.query('update done set result = $2 where key = $1', [key, JSON.stringify(result)]);
    return result;
  });

/** A cart as it is now, held until the transaction ends. @throws {NotAppliedError} when there is none */
export async function lockCart(client: pg.PoolClient, id: string) {
  const { rows } = await client.query<{ mail: string; card: string; is_blocked: boolean }>(
    'select mail, card, is_blocked from cart where id = $1 for update',
    [id],
  );
  if (!rows[0]) throw refused('cart_unknown', `There is no cart ${id}.`);
  return rows[0];
}

/** Takes what is in a cart now off the shelves, under a name for the reservation. @throws {NotAppliedError} */
export async function reserve(client: pg.PoolClient, cartId: string, id: string): Promise<Line[]> {
  const { rows } = await client.query<Line & { left: number }>(
    `with wanted as (
       select l.sku, l.quantity, p.name, p.cents, p.stock
       from cart_line l join product p using (sku) where l.cart_id = $1 order by l.sku for update of p
     ), taken as (
       update product p set stock = p.stock - w.quantity from wanted w where p.sku = w.sku and w.stock >= w.quantity
     ), noted as (
       insert into reservation (id, cart_id, sku, quantity)
       select $2, $1, sku, quantity from wanted where stock >= quantity
     )
     select sku, name, quantity, cents, stock - quantity as left from wanted`,
    [cartId, id],
  );
  if (rows.length === 0) throw refused('cart_empty', `Cart ${cartId} is empty.`);
  const short = rows.find(({ left }) => left < 0);
  if (short)
    throw refused('out_of_stock', `There are not ${short.quantity} of ${short.name} (${short.sku}) left.`);
  return rows.map(({ left: _, ...line }) => line);
}

/** Puts back what is reserved and not in the cart any more; what is left is bought. @throws {NotAppliedError} */
export async function keepWhatIsWanted(client: pg.PoolClient, cartId: string, id: string): Promise<Line[]> {
  await client.query(
    `with wanted as (
       select r.sku, r.quantity, least(r.quantity, coalesce(l.quantity, 0)) as kept
       from reservation r left join cart_line l on l.cart_id = $1 and l.sku = r.sku where r.id = $2
     ), given as (
       update product p set stock = p.stock + w.quantity - w.kept from wanted w where p.sku = w.sku and w.kept < w.quantity
     ), gone as (
       delete from reservation r using wanted w where r.id = $2 and r.sku = w.sku and w.kept = 0
     )
     update reservation r set quantity = w.kept from wanted w
     where r.id = $2 and r.sku = w.sku and w.kept > 0 and w.kept < w.quantity`,
    [cartId, id],
  );
  const { rows } = await client.query<Line>(
    `select r.sku, p.name, r.quantity, p.cents from reservation r join product p using (sku) where r.id = $1 order by r.sku`,
    [id],
  );
  if (rows.length === 0) throw refused('cart_empty', `Nothing that was reserved is still in cart ${cartId}.`);
  return rows;
}

/** Puts everything that is reserved back on the shelves. */
export async function release(client: pg.PoolClient, id: string): Promise<void> {
  await client.query(
    `with gone as (delete from reservation where id = $1 returning sku, quantity)
     update product p set stock = p.stock + g.quantity from gone g where p.sku = g.sku`,
    [id],
  );
}

export const lock = (client: pg.PoolClient, cartId: string, isLocked: boolean) =>
  client.query('update cart set is_locked = $2 where id = $1', [cartId, isLocked]);

export interface Purchase {
  readonly id: string;
  readonly cartId: string;
  readonly reservation: string;
  readonly chargeId: string;
  readonly lines: readonly Line[];
  readonly totalCents: number;
}

/** What was paid is bought: it is reserved no more, and gone from the cart. */
export async function buy(client: pg.PoolClient, purchase: Purchase): Promise<void> {
  const { id, cartId, reservation, chargeId, lines, totalCents } = purchase;
  await client.query(
    `with bought as (
       insert into purchase (id, cart_id, charge_id, total_cents, lines) values ($1, $2, $3, $4, $5)
     ), gone as (
       delete from reservation where id = $6 returning sku
     )
     delete from cart_line l using gone g where l.cart_id = $2 and l.sku = g.sku`,
    [id, cartId, chargeId, totalCents, JSON.stringify(lines), reservation],
  );
}

/** As if it had not been bought: it is reserved and in the cart again. */
export async function takeBack(client: pg.PoolClient, orderId: string, reservation: string): Promise<void> {
  await client.query(
    `with gone as (
       delete from purchase where id = $1 returning cart_id, lines
     ), line as (
       select g.cart_id, l.sku, l.quantity from gone g, json_to_recordset(g.lines) as l(sku text, quantity int)
     ), reserved as (
       insert into reservation (id, cart_id, sku, quantity) select $2, cart_id, sku, quantity from line
     )
     insert into cart_line (cart_id, sku, quantity) select cart_id, sku, quantity from line
     on conflict (cart_id, sku) do update set quantity = cart_line.quantity + excluded.quantity`,
    [orderId, reservation],
  );
}

/** Nothing has happened, and nothing would if it were tried again. */
export const refused = (code: string, message: string) =>
  new NotAppliedError({ code, message, retry: 'never' });
