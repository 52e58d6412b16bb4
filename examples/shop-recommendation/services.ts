import { join } from 'node:path';
import pg from 'pg';
import { type CouponService, startCouponService } from './coupon-service.ts';
import data from './data/shops.json' with { type: 'json' };

// What the flow needs beside Pawl: the tables of shops in a schema of their own, and the coupon service.

const SCHEMA = 'shop_recommendation';

const TABLES = `
  create schema if not exists ${SCHEMA};
  set search_path to ${SCHEMA};
  create table if not exists shop (
    id text primary key,
    category text not null,
    district text not null,
    name json not null,
    about json not null,
    price int not null,
    rating numeric(2, 1) not null,
    seats int not null,
    opens text not null,
    closes text not null
  );
  create table if not exists shop_word (
    shop_id text not null references shop,
    word text not null,
    primary key (shop_id, word)
  );
  create table if not exists offer (
    shop_id text not null references shop,
    name json not null,
    price int not null
  );
  create index if not exists offer_of_shop on offer (shop_id);
  create table if not exists recommendation (
    run_id uuid not null,
    place int not null,
    shop_id text not null references shop,
    wish text not null,
    reason text not null,
    coupon text,
    primary key (run_id, place)
  );`;

/** Words that a shop is found by, in both languages: its tags and its category. */
const wordsOf = ({ id, category, tags }: (typeof data.shops)[number]) => {
  const { zh } = data.categories.find((each) => each.id === category)!;
  return [...new Set([...tags.en, ...tags.zh, category, zh])].map((word) => ({ shop_id: id, word }));
};

/** Makes the tables and fills them from `data/shops.json`; recommendations that were saved stay. Returns where they are. */
async function prepareShops(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const fill = (table: string, rows: readonly unknown[], conflict = '') =>
    client.query(
      `insert into ${table} select * from json_populate_recordset(null::${table}, $1::json) ${conflict}`,
      [JSON.stringify(rows)],
    );
  try {
    await client.query(`begin; ${TABLES}; truncate offer, shop_word`);
    const columns = 'category district name about price rating seats opens closes'.split(' ');
    const changes = columns.map((name) => `${name} = excluded.${name}`).join(', ');
    await fill('shop', data.shops, `on conflict (id) do update set ${changes}`);
    await fill('shop_word', data.shops.flatMap(wordsOf));
    await fill(
      'offer',
      data.shops.flatMap(({ id, offers }) =>
        offers.map(({ price, ...name }) => ({ shop_id: id, name, price })),
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
  const shopsUrl = await prepareShops(databaseUrl);
  const coupons: CouponService = await startCouponService();
  return {
    env: {
      PAWL_SQL_SHOPS: shopsUrl,
      PAWL_TOOLS: join(import.meta.dirname, 'tools.ts'),
      PAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${coupons.port}`,
      COUPONS_URL: coupons.url,
    },
    words: [`shops      ${data.shops.length} in schema ${SCHEMA}`, `coupons    ${coupons.url}`],
    shopsUrl,
    coupons,
    stop: () => coupons.close(),
  };
}
