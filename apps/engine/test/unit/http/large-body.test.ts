// Catches: a 413 that the sender never sees because the socket was reset while it was still sending.
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { anHttp, type TestHttp } from '../../support/an-http.ts';

let http: TestHttp;
afterEach(() => http.app.close());

it.each(['content-length', 'transfer-encoding'])(
  '25 MB over a socket with %s answer 413',
  async (framing) => {
    http = anHttp();
    await http.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = http.app.server.address() as AddressInfo;
    const bytes = Buffer.alloc(25 * 1024 * 1024, ' ');
    const headers = {
      'content-type': 'application/json',
      ...(framing === 'content-length'
        ? { 'content-length': bytes.length }
        : { 'transfer-encoding': 'chunked' }),
    };
    const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const call = request(
        { host: '127.0.0.1', port, path: '/v1/runs', method: 'POST', headers },
        (reply) => {
          let text = '';
          reply.setEncoding('utf8').on('data', (part) => {
            text += part;
          });
          reply.on('end', () => resolve({ status: reply.statusCode!, text })).on('error', reject);
        },
      );
      call.on('error', reject);
      call.end(bytes);
    });
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'body_too_large', limitBytes: 20_971_520 });
    expect(http.store.runs.starts).toEqual([]);
  },
);
