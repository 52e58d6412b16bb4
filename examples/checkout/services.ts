import { join } from 'node:path';
import pg from 'pg';
import { startCardService } from './card-service.ts';
import data from './data/shop.json' with { type: 'json' };
import { startMailService } from './mail-service.ts';

// What the flow needs beside Pawl: the tables of the shop in a schema of their own, a card company, and a mail server.

const SCHEMA = 'checkout';

const TABLES = `
  create schema if not exists ${SCHEMA};
  set search_path to ${SCHEMA};
  create table if not exists product (
    sku text primary key, name text not null, cents int not null, stock int not null check (stock >= 0)
  );
  create table if not exists cart (
    id text primary key, mail text not null, card text not null,
    is_locked boolean not null default false, is_blocked boolean not null default false
  );
  create table if not exists cart_line (
    cart_id text not null references cart, sku text not null references product, quantity int not null check (quantity > 0),
    primary key (cart_id, sku)
  );
  create table if not exists reservation (
    id text not null, cart_id text not null references cart, sku text not null references product,
    quantity int not null check (quantity > 0),
    primary key (id, sku)
  );
  create table if not exists purchase (
    id text primary key, cart_id text not null references cart, charge_id text not null, total_cents int not null,
    lines json not null
  );
  create table if not exists done (key text primary key, result json);`;

/** Makes the tables and fills them from `data/shop.json`; what was bought stays bought. Returns where they are. */
async function prepareShop(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const fill = (table: string, columns: string, rows: readonly object[]) =>
    client.query(
      `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1::json)
       on conflict do nothing`,
      [JSON.stringify(rows)],
    );
  try {
    await client.query(`begin; ${TABLES}`);
    await fill('product', 'sku, name, cents, stock', data.products);
    const { rows } = await client.query<{ id: string }>('select id from cart');
    const fresh = data.carts.filter(({ id }) => !rows.some((cart) => cart.id === id));
    await fill(
      'cart',
      'id, mail, card, is_locked, is_blocked',
      fresh.map(({ id, mail, card, isBlocked }) => ({
        id,
        mail,
        card,
        is_locked: false,
        is_blocked: isBlocked ?? false,
      })),
    );
    await fill(
      'cart_line',
      'cart_id, sku, quantity',
      fresh.flatMap(({ id, lines }) =>
        Object.entries(lines).map(([sku, quantity]) => ({ cart_id: id, sku, quantity })),
      ),
    );
    await client.query('commit');
  } finally {
    await client.end();
  }
  const url = new URL(databaseUrl);
  url.searchParams.set('options', `-c search_path=${SCHEMA}`);
  return url.href;
}

/** Starts what the flow needs, and says where it is: `env` is for workers. */
export async function startServices({ databaseUrl }: { readonly databaseUrl: string }) {
  const shopUrl = await prepareShop(databaseUrl);
  const [cards, mail] = await Promise.all([startCardService(), startMailService()]);
  return {
    env: {
      CHECKOUT_DATABASE_URL: shopUrl,
      CARDS_URL: cards.url,
      PAWL_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      PAWL_MAIL_FROM: 'Lanwan Pottery <shop@lanwan.example>',
      PAWL_TOOLS: join(import.meta.dirname, 'tools.ts'),
      PAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${cards.port}`,
    },
    words: [
      `shop       ${data.carts.length} carts in schema ${SCHEMA}`,
      `cards      ${cards.url}`,
      `mail       smtp://127.0.0.1:${mail.port}`,
    ],
    shopUrl,
    cards,
    mail,
    async stop() {
      await Promise.all([cards.close(), mail.close()]);
    },
  };
}
