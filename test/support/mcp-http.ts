import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';

/** An MCP server over Streamable HTTP on loopback, with a session for each client. */
export interface McpHttp {
  readonly url: string;
  readonly port: number;
  /** Headers of the requests that carried a call. */
  readonly calls: readonly IncomingMessage['headers'][];
  /** Forgets every session, as a restart does. */
  forgetSessions(): void;
  /** Breaks every connection; nothing is answered any more on them. */
  cut(): void;
  close(): Promise<void>;
}

/**
 * @param make  the server of one session
 * @param port  default: a free one
 */
export async function startMcpHttp(make: () => McpServer, port = 0): Promise<McpHttp> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const sockets = new Set<Socket>();
  const calls: IncomingMessage['headers'][] = [];
  const open = async (): Promise<StreamableHTTPServerTransport> => {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await make().connect(transport as Parameters<McpServer['connect']>[0]);
    return transport;
  };
  const server = createServer(async (request, response) => {
    const body = request.method === 'POST' ? await json(request) : undefined;
    if ((body as { method?: string } | undefined)?.method === 'tools/call') calls.push(request.headers);
    const id = request.headers['mcp-session-id'];
    const transport = isInitializeRequest(body) ? await open() : sessions.get(String(id));
    if (!transport) response.writeHead(404).end('There is no such session.');
    else await transport.handleRequest(request, response, body);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${bound}/mcp`,
    port: bound,
    calls,
    forgetSessions: () => sessions.clear(),
    cut,
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
