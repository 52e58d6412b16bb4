// Catches: a sender that never ends its body and keeps a connection for ever; a long stream that is cut like one.
import { request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { anHttp, aRun, type TestHttp } from '../../support/an-http.ts';

let http: TestHttp;
let port: number;
beforeEach(async () => {
  http = anHttp({ limits: { bodyMs: 50, keepAliveMs: 20 } });
  await http.app.listen({ host: '127.0.0.1', port: 0 });
  port = (http.app.server.address() as AddressInfo).port;
});
afterEach(() => http.app.close());

it('a body that does not end is answered 408 and its connection cut', async () => {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (part) => {
    text += part;
  });
  socket.write(
    'POST /v1/runs HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"flow"',
  );
  await new Promise((resolve) => socket.once('close', resolve));
  expect(text).toMatch(/^HTTP\/1\.1 408 /);
  expect(http.store.runs.starts).toEqual([]);
});

it('an event stream goes on for longer than that', async () => {
  const runId = await aRun(http);
  const call = request({
    host: '127.0.0.1',
    port,
    path: `/v1/runs/${runId}/events`,
    headers: { accept: 'text/event-stream' },
  });
  call.end();
  let beats = 0;
  await new Promise<void>((resolve, reject) => {
    call.on('error', reject);
    call.on('response', (reply) => {
      reply.on('data', () => {
        beats += 1;
        if (beats === 8) resolve();
      });
      reply.on('close', () => reject(new Error('the stream was cut')));
    });
  });
  call.destroy();
});
