import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

// The card company. A charge is made each time it is asked for, whatever the key: only who looks it up under its key learns whether
// it was made. Paying back is done once for each charge. It declines `card_declined`.

/** Money that was taken from a card. */
export interface Charge {
  readonly chargeId: string;
  readonly key: string;
  readonly card: string;
  readonly cents: number;
  readonly isPaidBack: boolean;
}

export interface CardService {
  readonly url: string;
  readonly port: number;
  readonly charges: readonly Charge[];
  /** The next charge is made and its answer held back: a network that is slow. */
  holdNextCharge(): { readonly made: Promise<Charge>; release(): void };
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Starts the service on a free port of this machine; it keeps nothing when it ends. */
export async function startCardService(): Promise<CardService> {
  const charges: { -readonly [K in keyof Charge]: Charge[K] }[] = [];
  let held: { readonly until: Promise<void>; made(charge: Charge): void } | undefined;

  async function charge(key: string, { card, cents }: { card: string; cents: number }): Promise<Answer> {
    if (card === 'card_declined') return { status: 402, body: { message: 'The card was declined.' } };
    const made = { chargeId: `ch_${charges.length + 1}`, key, card, cents, isPaidBack: false };
    charges.push(made);
    const hold = held;
    held = undefined;
    hold?.made({ ...made });
    await hold?.until;
    return { status: 201, body: made };
  }

  function payBack(chargeId: string | undefined): Answer {
    const found = charges.find((each) => each.chargeId === chargeId);
    if (!found) return { status: 404, body: { message: `There is no charge ${chargeId}.` } };
    found.isPaidBack = true;
    return { status: 200, body: found };
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const url = new URL(request.url ?? '/', 'http://cards');
    const [, what, id] = url.pathname.split('/');
    switch (`${request.method} /${what}`) {
      case 'POST /charges':
        return charge(String(request.headers['idempotency-key'] ?? ''), JSON.parse(await text(request)));
      case 'GET /charges':
        return {
          status: 200,
          body: { charge: charges.find(({ key }) => key === url.searchParams.get('key')) ?? null },
        };
      case 'PUT /refunds':
        return payBack(id);
      default:
        return { status: 404, body: { message: 'There is no such page.' } };
    }
  }

  const server = createServer((request, response) => {
    answer(request)
      .catch(() => ({ status: 400, body: { message: 'The request cannot be read.' } }))
      .then(({ status, body }) =>
        response
          .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
          .end(JSON.stringify(body)),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    charges,
    holdNextCharge() {
      let release = (): void => undefined;
      const until = new Promise<void>((resolve) => {
        release = resolve;
      });
      const made = new Promise<Charge>((resolve) => {
        held = { until, made: resolve };
      });
      return { made, release };
    },
    close: () => close(server),
  };
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
