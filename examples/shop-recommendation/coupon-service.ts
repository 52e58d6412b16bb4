import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import coupons from './data/coupons.json' with { type: 'json' };

// The coupon service of the town: each shop's till tells its coupons, and some tills are in trouble. GET /shops/<id>/coupons
// answers for one shop, POST /mend and POST /break take the troubles away and bring them back.

/** What may be wrong with a till: it says so, it breaks, it hangs up, it never answers. */
type Trouble = 'unavailable' | 'broken' | 'cut' | 'silent';

export interface CouponService {
  readonly url: string;
  readonly port: number;
  /** Shops that were asked for, in order, one entry for each request. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Starts the service on a free port of this machine. */
export async function startCouponService(): Promise<CouponService> {
  const known: Readonly<Record<string, readonly unknown[]>> = coupons.coupons;
  const troubles = coupons.troubles as Readonly<Record<string, Trouble>>;
  const asked: string[] = [];
  let isMended = false;
  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown): void => {
      response
        .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
        .end(JSON.stringify(body));
    };
    const path = request.url ?? '';
    if (request.method === 'POST' && (path === '/mend' || path === '/break')) {
      isMended = path === '/mend';
      return answer(200, { troubles: isMended ? 0 : Object.keys(troubles).length });
    }
    const shop = /^\/shops\/([\w-]+)\/coupons$/.exec(path)?.[1];
    if (request.method !== 'GET' || shop === undefined)
      return answer(404, { message: 'There is no such page.' });
    asked.push(shop);
    switch (isMended ? undefined : troubles[shop]) {
      case 'unavailable':
        return answer(503, { message: `The till of ${shop} does not answer.` });
      case 'broken':
        return answer(500, { message: `The till of ${shop} sent something that is no coupon.` });
      case 'cut':
        return void request.socket.destroy();
      case 'silent':
        return;
      case undefined:
        return answer(200, { coupons: known[shop] ?? [] });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, asked, close: () => close(server) };
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
