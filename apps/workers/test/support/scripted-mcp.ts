import type { ServerResponse } from 'node:http';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';

/** A request of the protocol, as the script sees it. */
export interface McpRequest {
  readonly id: number;
  readonly params: {
    readonly cursor?: string;
    readonly name?: string;
    readonly _meta?: Record<string, unknown>;
  };
}

/** Answers a request with a result of the protocol. */
export type Reply = (result: unknown) => void;

/**
 * An MCP server without sessions and without a stream of its own, as the protocol allows, that does what a test says when it lists
 * and when it is called.
 */
export async function startScriptedMcp(script: {
  list(request: McpRequest, reply: Reply): void;
  call(request: McpRequest, reply: Reply, response: ServerResponse): void;
  /** Asked for the rest of a stream that broke off after this event. */
  resume?(lastEventId: string, response: ServerResponse): void;
}): Promise<LoopbackServer> {
  return startLoopbackServer(({ method, headers, body }, response) => {
    const lastEventId = headers['last-event-id'];
    if (method === 'GET' && lastEventId && script.resume) return script.resume(String(lastEventId), response);
    if (method !== 'POST') return void response.writeHead(405).end();
    const request = JSON.parse(body.toString());
    // Notifications.
    if (request.id === undefined) return void response.writeHead(202).end();
    const reply: Reply = (result) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: request.id, result }));
    switch (request.method) {
      case 'initialize':
        return reply({
          protocolVersion: LATEST_PROTOCOL_VERSION,
          capabilities: { tools: {} },
          serverInfo: { name: 'scripted', version: '1' },
        });
      case 'tools/list':
        return script.list(request, reply);
      case 'tools/call':
        return script.call(request, reply, response);
      default:
        return reply({});
    }
  });
}
