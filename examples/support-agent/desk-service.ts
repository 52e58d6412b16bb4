import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import data from './data/desk.json' with { type: 'json' };

// The desk of the shop and its bank: tickets, orders, promises, refunds. A ticket takes a note once for each key. A refund is paid
// each time it is asked for, whatever the key: only who looks it up under its key learns whether it was paid.

/** A refund that was paid. */
export interface Refund {
  readonly refundId: string;
  readonly key: string;
  readonly orderId: string;
  readonly cents: number;
}

export interface DeskService {
  readonly url: string;
  readonly port: number;
  readonly refunds: readonly Refund[];
  /** Notes on a ticket, oldest first. */
  notesOf(ticketId: string): readonly string[];
  /** The next refund is paid and its answer held back: a network that is slow. */
  holdNextRefund(): { readonly paid: Promise<Refund>; release(): void };
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const found = (body: unknown): Answer =>
  body === undefined ? refused(404, 'There is no such thing.') : { status: 200, body };
const refused = (status: number, message: string): Answer => ({ status, body: { message } });

/** Starts the service on a free port of this machine; it keeps nothing when it ends. */
export async function startDeskService(): Promise<DeskService> {
  const notes = new Map<string, Map<string, string>>();
  const states = new Map<string, string>();
  const refunds: Refund[] = [];
  let held: { readonly until: Promise<void>; paid(refund: Refund): void } | undefined;

  const ticketOf = (ticketId: string | undefined) => {
    const ticket = data.tickets.find((each) => each.ticketId === ticketId);
    if (!ticket) return undefined;
    const paid = refunds.filter(({ orderId }) => orderId === ticket.orderId);
    return {
      ...ticket,
      state: states.get(ticket.ticketId) ?? 'open',
      notes: [...(notes.get(ticket.ticketId)?.values() ?? [])],
      refundedCents: paid.reduce((sum, { cents }) => sum + cents, 0),
    };
  };

  function update(ticketId: string, key: string, body: { state: string; note: string }): Answer {
    if (!ticketOf(ticketId)) return found(undefined);
    const own = notes.get(ticketId) ?? new Map<string, string>();
    notes.set(ticketId, own.has(key) ? own : own.set(key, body.note));
    states.set(ticketId, body.state);
    return found(ticketOf(ticketId));
  }

  async function refund(
    key: string,
    { orderId, cents }: { orderId: string; cents: number },
  ): Promise<Answer> {
    const order = data.orders.find((each) => each.orderId === orderId);
    if (!order) return refused(404, `There is no order ${orderId}.`);
    const before = refunds
      .filter((each) => each.orderId === orderId)
      .reduce((sum, each) => sum + each.cents, 0);
    if (cents > order.cents - before)
      return refused(
        422,
        `Of order ${orderId} ${order.cents - before} cents can be paid back, not ${cents}.`,
      );
    const paid = { refundId: `re_${refunds.length + 1}`, key, orderId, cents };
    refunds.push(paid);
    const hold = held;
    held = undefined;
    hold?.paid(paid);
    await hold?.until;
    return { status: 201, body: paid };
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const url = new URL(request.url ?? '/', 'http://desk');
    const [, what, id] = url.pathname.split('/');
    const key = String(request.headers['idempotency-key'] ?? '');
    switch (`${request.method} /${what}`) {
      case 'GET /tickets':
        return found(ticketOf(id));
      case 'GET /orders':
        return found(data.orders.find(({ orderId }) => orderId === id));
      case 'GET /promises':
        return found((data.promises as Record<string, string>)[id ?? '']);
      case 'GET /refunds':
        return found({ refund: refunds.find((each) => each.key === url.searchParams.get('key')) ?? null });
      case 'PUT /tickets':
        return update(id ?? '', key, JSON.parse(await text(request)));
      case 'POST /refunds':
        return refund(key, JSON.parse(await text(request)));
      default:
        return found(undefined);
    }
  }

  const server = createServer((request, response) => {
    answer(request)
      .catch(() => refused(400, 'The request cannot be read.'))
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
    refunds,
    notesOf: (ticketId) => [...(notes.get(ticketId)?.values() ?? [])],
    holdNextRefund() {
      let release = (): void => undefined;
      const until = new Promise<void>((resolve) => {
        release = resolve;
      });
      const paid = new Promise<Refund>((resolve) => {
        held = { until, paid: resolve };
      });
      return { paid, release };
    },
    close: () => close(server),
  };
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
