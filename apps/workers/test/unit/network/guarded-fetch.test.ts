// Which mistake would this catch? A request of a flow that reaches what only this machine should reach (C83).
import { createToolFetch, toFailure } from '@pawl/tool-sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGuardedFetch, type Fetch, type Resolve } from '../../../src/network/guarded-fetch.ts';
import { AddressRules, createNetwork } from '../../../src/network/index.ts';
import { type LoopbackServer, startLoopbackServer } from '../../support/loopback-server.ts';

let ledger: LoopbackServer;
beforeEach(async () => {
  ledger = await startLoopbackServer();
});
afterEach(() => ledger.close());

const rules = (allowed = ''): AddressRules => AddressRules.parse(allowed);
const guarded = (allowed = '', resolve?: Resolve): Fetch =>
  createGuardedFetch({ rules: rules(allowed), resolve, reuse: 'reads' });
const leadsTo =
  (...answers: string[]): Resolve =>
  async () => {
    const address = answers.length > 1 ? answers.shift()! : answers[0]!;
    return address.split(' ').map((each) => ({ address: each, family: each.includes(':') ? 6 : 4 }));
  };
/** As a tool sees it: redirects are followed by `ctx.fetch`, hop by hop. */
const asTool = (fetch: Fetch): Fetch =>
  createToolFetch({ idempotencyKey: 'k', signal: new AbortController().signal, fetch }).fetch;
const failureOf = async (answer: Promise<unknown>) =>
  toFailure(
    await answer.then(
      () => new Error('it was answered'),
      (error: unknown) => error,
    ),
    { effect: 'non_repeatable' },
  );
const BLOCKED = { code: 'address_blocked', class: 'permanent', notApplied: true };

describe('C83: every spelling of a private address is refused before connecting', () => {
  it.each([
    'http://[::ffff:7f00:1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://2130706433:PORT/',
    'http://2852039166/',
    'http://0x7f.1:PORT/',
    'http://0x7f000001:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://017700000001:PORT/',
    'http://127.1:PORT/',
    'http://127.0.1:PORT/',
    'http://0:PORT/',
    'http://0.0.0.0:PORT/',
    'http://①②⑦.0.0.1:PORT/',
    'http://127。0。0。1:PORT/',
    'http://127.0.0.1.:PORT/',
    'http://[::1]:PORT/',
    'http://[::]:PORT/',
    'http://[::127.0.0.1]:PORT/',
    'http://[64:ff9b::7f00:1]:PORT/',
    'http://localhost:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1]/',
    'http://100.64.0.1/',
    'http://10.0.0.1/',
    'https://127.0.0.1:PORT/',
  ])('%s', async (url) => {
    const at = url.replace('PORT', String(ledger.port));
    expect(await failureOf(asTool(createNetwork().fetch)(at))).toMatchObject(BLOCKED);
    expect(ledger.seen).toEqual([]);
  });

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', '8.8.8.8 127.0.0.1'])(
    'a name that leads to %s',
    async (address) => {
      const fetch = guarded('', leadsTo(address));
      expect(await failureOf(fetch(`http://innocent.example:${ledger.port}/`))).toMatchObject(BLOCKED);
      expect(ledger.seen).toEqual([]);
    },
  );

  it('a name that flips on the second lookup: one lookup decides, and what it found is connected to', async () => {
    const other = await startLoopbackServer((_request, response) => response.end('public'), '127.0.0.2');
    let lookups = 0;
    const flips = leadsTo('127.0.0.2', '127.0.0.1');
    const fetch = guarded('127.0.0.2', (host, options) => {
      lookups++;
      return flips(host, options);
    });
    const url = `http://flips.example:${other.port}/`;
    const first = await fetch(url, { headers: { connection: 'close' } });
    expect([await first.text(), lookups]).toEqual(['public', 1]);
    // A new connection asks again, and is judged again.
    expect(await failureOf(fetch(`http://flips.example:${ledger.port}/`))).toMatchObject(BLOCKED);
    expect(lookups).toBe(2);
    expect(ledger.seen).toEqual([]);
    await other.close();
  });

  it.each([301, 302, 303, 307, 308])('a %d from a public address to a private one', async (status) => {
    const outside = await startLoopbackServer((_request, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${ledger.port}/steal` }).end();
    }, '127.0.0.2');
    for (const fetch of [guarded('127.0.0.2'), asTool(guarded('127.0.0.2'))]) {
      const failure = await failureOf(fetch(`${outside.url}/`));
      expect(failure).toMatchObject({ code: 'address_blocked', class: 'permanent' });
    }
    expect([outside.seen.length, ledger.seen.length]).toEqual([2, 0]);
    await outside.close();
  });

  it('when a write was redirected to a private address, it is not called a non-event', async () => {
    const outside = await startLoopbackServer((_request, response) => {
      response.writeHead(303, { location: ledger.url }).end();
    }, '127.0.0.2');
    const signal = new AbortController().signal;
    const tool = createToolFetch({
      idempotencyKey: 'k',
      signal,
      fetch: guarded('127.0.0.2'),
    });
    const thrown = await tool
      .fetch(outside.url, { method: 'POST', body: '1' })
      .catch((error: unknown) => error);
    const failure = toFailure(thrown, { effect: 'non_repeatable', mayHaveSent: tool.mayHaveSent() });
    expect(failure).toMatchObject({ code: 'address_blocked' });
    expect(failure.notApplied).toBeUndefined();
    await outside.close();
  });
});

describe('what the configuration allows is reached', () => {
  it.each(['127.0.0.1', '127.0.0.0/8', 'localhost', '127.0.0.1:PORT'])('%s', async (allowed) => {
    const fetch = guarded(allowed.replace('PORT', String(ledger.port)));
    const host = allowed === 'localhost' ? 'localhost' : '127.0.0.1';
    expect((await fetch(`http://${host}:${ledger.port}/`)).status).toBe(200);
    expect(ledger.seen).toHaveLength(1);
  });

  it('when the body is a form of this process, it is sent as one', async () => {
    const form = new FormData();
    form.set('a', new Blob(['x']), 'x.txt');
    await guarded('127.0.0.1')(ledger.url, { method: 'POST', body: form });
    expect(ledger.seen[0]!.headers['content-type']).toMatch(/^multipart\/form-data/);
    expect(ledger.seen[0]!.body.toString()).toContain('filename="x.txt"');
  });

  it('when nobody listens or a name is not there, it is the usual proof that nothing was sent', async () => {
    await ledger.close();
    const fetch = guarded('127.0.0.1');
    expect(await failureOf(fetch(ledger.url))).toMatchObject({ code: 'connection_failed', notApplied: true });
    const nowhere = guarded('', async () => []);
    expect(await failureOf(nowhere('http://nowhere.example/'))).toMatchObject({
      code: 'connection_failed',
      notApplied: true,
    });
    ledger = await startLoopbackServer();
  });
});

it('when a service closes connections that were used before, a write does not meet that: it has one of its own', async () => {
  const used = new WeakSet<object>();
  const impatient = await startLoopbackServer((_request, response) => {
    const { socket } = response;
    if (socket === null || used.has(socket)) return void response.destroy();
    used.add(socket);
    response.end('{}');
  });
  const fetch = guarded('127.0.0.1');
  const ask = async (method: string): Promise<void> =>
    void (await (await fetch(impatient.url, { method })).text());
  // Reads go on an open connection sooner or later, and meet it; they may be asked again.
  const read = (): Promise<string> =>
    ask('GET').then(
      () => 'answered',
      (error: unknown) => toFailure(error).code,
    );
  await expect.poll(read).toBe('connection_lost');
  for (const method of ['POST', 'POST', 'PUT', 'DELETE', 'PATCH']) await ask(method);
  await impatient.close();
});

describe('model servers of the configuration', () => {
  it('when the base URL has an address, that address and port are reached, and no other', async () => {
    const fetch = createNetwork().fetchFor(`${ledger.url}/v1`);
    expect((await fetch(`${ledger.url}/v1/x`)).status).toBe(200);
    const other = await startLoopbackServer();
    expect(await failureOf(fetch(other.url))).toMatchObject(BLOCKED);
    expect(other.seen).toEqual([]);
    await other.close();
  });

  it('when it says localhost, this machine is reached', async () => {
    const fetch = createNetwork().fetchFor(`http://localhost:${ledger.port}/v1`);
    expect((await fetch(`http://localhost:${ledger.port}/v1/x`)).status).toBe(200);
  });

  it('when it has a name that leads to this machine, the configuration must allow that', async () => {
    const url = `http://models.example:${ledger.port}/v1`;
    const inside = leadsTo('127.0.0.1');
    expect(await failureOf(createNetwork(rules(), inside).fetchFor(url)(url))).toMatchObject(BLOCKED);
    expect(ledger.seen).toEqual([]);
    const answer = await createNetwork(rules('models.example'), inside).fetchFor(url)(url);
    expect(answer.status).toBe(200);
  });

  it('when it is the address where clouds keep credentials, it is refused all the same', async () => {
    const url = 'http://169.254.169.254/v1';
    expect(await failureOf(createNetwork().fetchFor(url)(url))).toMatchObject(BLOCKED);
  });
});
