import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type CallToolRequest,
  type CallToolResult,
  CallToolResultSchema,
  type Tool as McpTool,
  type Progress,
  ToolListChangedNotificationSchema,
  ToolSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { cutText } from '@pawl/tool-sdk';
import { z } from 'zod';
import type { Network } from '../network/index.ts';
import { Bell } from './bell.ts';
import { type CallUnderWay, makeCall, watchingCalls } from './call-under-way.ts';
import type { McpServerConfig, StdioServer } from './config.ts';

const CONNECT_TIMEOUT_MS = 30_000;
const LIST_TIMEOUT_MS = 30_000;
/** More pages than a server in its right mind has. */
const MOST_PAGES = 100;
const MOST_TOOLS = 1_000;
/** What a process wrote last before it ended is most likely why. */
const LAST_WORDS = 2_000;
/** setTimeout cannot count further; the attempt has its own limit, which comes first. */
const LONGEST_MS = 2_147_483_647;

export interface ConnectionParts {
  readonly config: McpServerConfig;
  readonly network: Network;
  readonly version: string;
  /** Heard from the process or the transport, for whoever looks for a fault. */
  onNoise(text: string): void;
}

/** What a server listed: its tools, and entries that are none by the protocol. */
export interface Listed {
  readonly tools: readonly McpTool[];
  readonly unreadable: readonly string[];
}

// Tool by tool: one that the protocol does not know must not take the others along.
const ToolPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

/** A connection to a server, from the handshake until either side ends it. */
export class Connection {
  /** Rung when its tools are not what they were, when it is closed, and by whoever has another reason to look at it. */
  readonly news = new Bell();
  readonly #client: Client;
  readonly #calls = new Set<CallUnderWay>();
  #isClosed = false;
  #isRetiring = false;

  private constructor(client: Client) {
    this.#client = client;
  }

  /** @throws when the server cannot be started or reached, or does not speak the protocol */
  static async open({ config, network, version, onNoise }: ConnectionParts): Promise<Connection> {
    const client = new Client({ name: 'pawl', version }, { capabilities: {} });
    const connection = new Connection(client);
    let lastWords = '';
    const transport = transportTo(config, network, (text) => {
      lastWords = (lastWords + text).slice(-LAST_WORDS);
      onNoise(text);
    });
    client.onerror = (error) => {
      onNoise(error.message);
      if (/^Maximum reconnection attempts/.test(error.message)) connection.#streamIsGone();
    };
    client.onclose = () => {
      connection.#isClosed = true;
      connection.news.ring();
    };
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => connection.news.ring());
    try {
      await client.connect(transport, { timeout: CONNECT_TIMEOUT_MS });
    } catch (error) {
      await client.close().catch(() => {});
      if (lastWords.trim() === '') throw error;
      throw new Error(`${messageOf(error)}. It wrote: ${lastWords.trim()}`, { cause: error });
    }
    return connection;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** All tools, over all pages. @throws when the server does not answer, or has no end of pages */
  async listTools(): Promise<Listed> {
    if (!this.#client.getServerCapabilities()?.tools) return { tools: [], unreadable: [] };
    const tools: McpTool[] = [];
    const unreadable: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES; page++) {
      const listed: z.infer<typeof ToolPage> = await this.#client.request(
        { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
        ToolPage,
        { timeout: LIST_TIMEOUT_MS },
      );
      for (const entry of listed.tools) {
        const read = ToolSchema.safeParse(entry);
        if (read.success) tools.push(read.data);
        else unreadable.push(nameIn(entry));
      }
      if (tools.length > MOST_TOOLS) throw new Error(`It lists more than ${MOST_TOOLS} tools.`);
      cursor = listed.nextCursor;
      if (cursor === undefined) return { tools, unreadable };
    }
    throw new Error(`Its list of tools does not end within ${MOST_PAGES} pages.`);
  }

  /**
   * Calls a tool. The check of its output is the host's, not the SDK's: an effect that happened must not look like one that did not.
   *
   * @throws whatever the SDK throws; `callError` knows what it means
   */
  async call(
    params: CallToolRequest['params'],
    call: CallUnderWay,
    onProgress: (progress: Progress) => void,
  ): Promise<CallToolResult> {
    this.#calls.add(call);
    try {
      return await makeCall(call, () =>
        this.#client.request({ method: 'tools/call', params }, CallToolResultSchema, {
          signal: call.signal,
          timeout: LONGEST_MS,
          onprogress: onProgress,
          onresumptiontoken: () => {
            call.isResumable = true;
          },
        }),
      );
    } finally {
      call.ended();
      this.#calls.delete(call);
      void this.#closeWhenIdle();
    }
  }

  /** Ends it when the calls under way have ended: that it was given up is no reason to lose their answers. */
  async retire(): Promise<void> {
    this.#isRetiring = true;
    await this.#closeWhenIdle();
  }

  async #closeWhenIdle(): Promise<void> {
    if (this.#isRetiring && this.#calls.size === 0) await this.#client.close().catch(() => {});
  }

  /** The SDK gave up asking for the rest of a stream that broke off: that of a call, or the one of news. */
  #streamIsGone(): void {
    this.news.ring();
    for (const call of this.#calls) if (call.isResumable) call.broke();
  }
}

function transportTo(config: McpServerConfig, network: Network, onNoise: (text: string) => void): Transport {
  if ('command' in config) return processOf(config, onNoise);
  return new StreamableHTTPClientTransport(new URL(config.url), {
    // A write never travels on a connection that the server may be closing.
    fetch: watchingCalls(network.fetchFor(config.url, 'reads')),
    requestInit: { headers: config.headers ?? {} },
  });
}

/** It sees the few variables that programs need and its own, nothing else of this process's environment. */
function processOf({ command, args, env, cwd }: StdioServer, onNoise: (text: string) => void): Transport {
  const transport = new StdioClientTransport({
    command,
    args: args ?? [],
    env: { ...getDefaultEnvironment(), ...env },
    stderr: 'pipe',
    ...(cwd !== undefined && { cwd }),
  });
  transport.stderr?.on('data', (chunk: Buffer) => onNoise(chunk.toString()));
  return transport;
}

function nameIn(entry: unknown): string {
  const { name } = (entry ?? {}) as { name?: unknown };
  return typeof name === 'string' ? cutText(name, 100) : '(without a name)';
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
