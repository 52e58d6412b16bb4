// Would catch: a call whose end nobody knows that is taken for one that failed, or the other way round; a server whose odd tools take
// the others along; a process whose last words are lost.
import type { ServerResponse } from 'node:http';
import { leavesDoubt, ToolRegistry, toFailure } from '@pawl/tool-sdk';
import { createTestContext } from '@pawl/tool-sdk/testing';
import pino from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import type { McpServerConfig } from '../../../src/mcp/config.ts';
import { McpServer } from '../../../src/mcp/server.ts';
import { createNetwork } from '../../../src/network/index.ts';
import type { LoopbackServer } from '../../support/loopback-server.ts';
import { type McpRequest, type Reply, startScriptedMcp } from '../../support/scripted-mcp.ts';

let http: LoopbackServer | undefined;
let server: McpServer | undefined;
afterEach(async () => {
  await server?.close();
  await http?.close();
  http = undefined;
});

/** Follows a server until what is asked for is so. */
async function follow(
  config: McpServerConfig,
  isSo: (server: McpServer) => boolean,
  tools = new ToolRegistry(),
) {
  let heard = () => {};
  server = new McpServer({
    name: 'odd',
    config,
    network: createNetwork(),
    tools,
    logger: pino({ enabled: false }),
    version: '1',
    demandLease: async () => {},
    onChange: () => heard(),
  });
  server.start();
  while (!isSo(server))
    await new Promise<void>((resolve) => {
      heard = resolve;
    });
  return tools;
}
const isConnected = ({ offer }: McpServer) => offer.state === 'connected';
const does = (more: object = {}) => ({ name: 'do', inputSchema: { type: 'object' }, ...more });

/** Calls the tool `do` of a server that answers calls in its own way. */
async function call(
  answer: (request: McpRequest, reply: Reply, response: ServerResponse) => void,
  tool: object = {},
  resume?: (lastEventId: string, response: ServerResponse) => void,
) {
  http = await startScriptedMcp({
    list: (_, reply) => reply({ tools: [does(tool)] }),
    call: answer,
    ...(resume && { resume }),
  });
  const tools = await follow({ url: http.url }, isConnected);
  const found = tools.require('mcp.odd.do@1');
  const { ctx } = createTestContext();
  try {
    const parsed = found.parseOutput(await found.execute(ctx, {}));
    return parsed.ok ? { output: parsed.value } : { issues: parsed.issues };
  } catch (error) {
    const failure = toFailure(error, { effect: 'non_repeatable', signal: ctx.signal });
    return { failure, isOpen: leavesDoubt(failure) };
  }
}

const problem =
  (code: number, message: string) => (request: McpRequest, _: Reply, response: ServerResponse) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id: request.id, error: { code, message } }));
const status =
  (code: number, headers = {}) =>
  (_: McpRequest, __: Reply, response: ServerResponse) =>
    response.writeHead(code, headers).end('said no');

describe('what became of a call', () => {
  it('when a stream ends without an answer, or is cut, it is open at once', async () => {
    const begin = (response: ServerResponse) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': working\n\n');
    const lost = { failure: { code: 'connection_lost', class: 'transient' }, isOpen: true };
    expect(
      await call((_, __, response) => {
        begin(response);
        response.end();
      }),
    ).toMatchObject(lost);
    await server!.close();
    await http!.close();
    expect(
      await call((_, __, response) => {
        begin(response);
        setImmediate(() => response.destroy());
      }),
    ).toMatchObject(lost);
  });

  it('when the answer stands last in a stream that ends with it, it counts', async () => {
    const found = await call(({ id }, _, response) => {
      const message = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'done' }] } };
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    });
    expect(found).toEqual({ output: { content: [{ type: 'text', text: 'done' }] } });
  });

  it('when a stream that numbers its events breaks off, the rest is asked for and counts', async () => {
    const events = { 'content-type': 'text/event-stream' };
    let asked: number;
    const found = await call(
      ({ id }, _, response) => {
        asked = id;
        response.writeHead(200, events).end('id: e1\nretry: 1\ndata:\n\n');
      },
      {},
      (lastEventId, response) => {
        const result = { content: [{ type: 'text', text: `after ${lastEventId}` }] };
        const message = JSON.stringify({ jsonrpc: '2.0', id: asked, result });
        response.writeHead(200, events).end(`id: e2\ndata: ${message}\n\n`);
      },
    );
    expect(found).toEqual({ output: { content: [{ type: 'text', text: 'after e1' }] } });
  });

  it.each([
    ['refuses the arguments', problem(-32602, 'no such customer'), 'mcp_refused', 'permanent', false],
    ['fails inside', problem(-32603, 'disk full'), 'mcp_error', 'transient', true],
    ['is overloaded', status(429, { 'retry-after': '7' }), 'http_429', 'transient', false],
    ['fails', status(503), 'http_503', 'transient', true],
    ['does not know who calls', status(401), 'http_401', 'permanent', false],
    ['has lost the session', status(404), 'mcp_server_away', 'transient', false],
    [
      'answers something else',
      (_: McpRequest, reply: Reply) => reply({ content: 'x' }),
      'mcp_result_invalid',
      'permanent',
      false,
    ],
  ] as const)('when the server %s', async (_, answer, code, kind, isOpen) => {
    const found = await call(answer);
    expect(found).toMatchObject({ failure: { code, class: kind }, isOpen });
    if (code === 'http_429')
      expect(found).toMatchObject({ failure: { retryAfterMs: 7_000, notApplied: true } });
  });

  it('when structured content does not fit its schema, the call was made and its output is wrong', async () => {
    const outputSchema = { type: 'object', required: ['id'] };
    const found = await call((_, reply) => reply({ content: [], structuredContent: {} }), { outputSchema });
    expect(found).toMatchObject({ issues: [{ pointer: '/id' }] });
  });
});

describe('what a server lists', () => {
  it('is read page by page, and odd entries are left out with why', async () => {
    const pages = [
      [does({ name: 'createIssue' }), does({ name: 'create-issue' }), { name: 'broken' }],
      [
        does({
          name: 'old',
          inputSchema: { type: 'object', $schema: 'http://json-schema.org/draft-07/schema#' },
        }),
        does({ name: 'wrong', inputSchema: { type: 'object', properties: { a: { type: 'nothing' } } } }),
        does({ name: 'loose', outputSchema: { type: 'object', properties: { a: { type: 'nothing' } } } }),
        does({ name: 'long', execution: { taskSupport: 'required' } }),
        does({ name: '查' }),
      ],
    ];
    http = await startScriptedMcp({
      list: ({ params: { cursor = '0' } }, reply) =>
        reply({ tools: pages[Number(cursor)], ...(cursor === '0' && { nextCursor: '1' }) }),
      call: (_, reply) => reply({ content: [] }),
    });
    const tools = await follow({ url: http.url }, isConnected);
    expect(tools.list().map(({ name }) => name)).toEqual([
      'mcp.odd.create_issue',
      'mcp.odd.loose',
      'mcp.odd.old',
    ]);
    expect(server!.offer.leftOut).toEqual([
      { tool: 'broken', why: expect.stringContaining('no tool by the protocol') },
      { tool: 'create-issue', why: expect.stringContaining('called mcp.odd.create_issue here') },
      { tool: 'wrong', why: expect.stringContaining('its input cannot be used') },
      { tool: 'long', why: expect.stringContaining('task') },
      { tool: '查', why: expect.stringContaining('name') },
    ]);
  });

  it('when it never ends, the server is away and says why', async () => {
    http = await startScriptedMcp({
      list: (_, reply) => reply({ tools: [], nextCursor: 'more' }),
      call: (_, reply) => reply({ content: [] }),
    });
    await follow({ url: http.url }, ({ offer }) => offer.problem !== undefined);
    expect(server!.offer).toMatchObject({ state: 'away', problem: expect.stringContaining('does not end') });
  });
});

describe('a server that is a process', () => {
  it('V13: when it does not start, what it wrote last says why, without what it was given', async () => {
    const script = "console.error('no licence for ' + process.env.LICENCE); process.exit(3)";
    await follow(
      { command: process.execPath, args: ['-e', script], env: { LICENCE: 'l1cence-number' } },
      ({ offer }) => offer.problem !== undefined,
    );
    expect(server!.offer.problem).toContain('no licence for [secret]');
  });

  it('when there is no such program, that is why it is away', async () => {
    await follow({ command: '/no/such/program' }, ({ offer }) => offer.problem !== undefined);
    expect(server!.offer).toMatchObject({ state: 'away', problem: expect.stringContaining('ENOENT') });
  });

  it('it sees its own variables and none of the worker', async () => {
    const script = 'console.error(Object.keys(process.env).join()); process.exit(3)';
    process.env.PAWL_TEST_ONLY = 'x';
    try {
      await follow(
        { command: process.execPath, args: ['-e', script], env: { OWN: '1' } },
        ({ offer }) => offer.problem !== undefined,
      );
    } finally {
      delete process.env.PAWL_TEST_ONLY;
    }
    expect(server!.offer.problem).toContain('OWN');
    expect(server!.offer.problem).not.toContain('PAWL_');
  });
});
