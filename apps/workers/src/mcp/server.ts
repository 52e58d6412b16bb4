import type { Tool as McpTool } from '@modelcontextprotocol/sdk/types.js';
import type { ServerOffer } from '@pawl/run-store/work';
import { cutText, scrubSecrets, type Tool, type ToolRegistry } from '@pawl/tool-sdk';
import type { Logger } from 'pino';
import type { Network } from '../network/index.ts';
import { Bell } from './bell.ts';
import { type McpServerConfig, secretsOf } from './config.ts';
import { Connection, type Listed } from './connection.ts';
import { judgeTool } from './judge-tool.ts';
import { makeTool } from './make-tool.ts';
import { toolName } from './tool-name.ts';

/** Its tools are asked for anew this often: it may have changed them, or be gone, without a word. */
const LOOK_EVERY_MS = 60_000;
/** After it could not be reached, the next try waits twice as long each time. */
const RETRY_MS = { first: 1_000, most: 60_000 };
const KEY_NAME = 'idempotency-key';
const LONGEST_PROBLEM = 500;
/** Entries that are named among those left out. */
const MOST_NAMED = 50;

export interface ServerParts {
  readonly name: string;
  readonly config: McpServerConfig;
  readonly network: Network;
  readonly tools: ToolRegistry;
  readonly logger: Logger;
  /** Of Pawl, told to the server. */
  readonly version: string;
  demandLease(): Promise<void>;
  /** What it offers, or whether it is there, is another. */
  onChange(): void;
}

/** One MCP server as this worker sees it: connected again whenever it was lost, its tools those that it lists now. */
export class McpServer {
  readonly #parts: ServerParts;
  readonly #source: string;
  readonly #logger: Logger;
  readonly #secrets: readonly string[];
  #offer: ServerOffer;
  /** What it listed at the last look, to tell whether anything is new. */
  #listed = '';
  #connection: Connection | undefined;
  readonly #pause = new Bell();
  #isOver = false;
  #living: Promise<void> | undefined;

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.#source = `mcp.${parts.name}`;
    this.#logger = parts.logger.child({ mcpServer: parts.name });
    this.#secrets = secretsOf(parts.config);
    this.#offer = this.#awayWith(undefined);
  }

  get offer(): ServerOffer {
    return this.#offer;
  }

  /** Begins to keep it connected; returns at once. */
  start(): void {
    this.#living ??= this.#live();
  }

  /** Calls under way are let end. */
  async close(): Promise<void> {
    this.#isOver = true;
    this.#connection?.news.ring();
    this.#pause.ring();
    await this.#living;
  }

  async #live(): Promise<void> {
    let failures = 0;
    while (!this.#isOver) {
      try {
        this.#connection = await this.#connect();
        await this.#look(this.#connection);
        failures = 0;
        await this.#follow(this.#connection);
      } catch (error) {
        this.#lost(error);
      } finally {
        const retired = this.#connection?.retire();
        this.#connection = undefined;
        if (this.#isOver) await retired;
      }
      const pauseMs = Math.min(RETRY_MS.most, RETRY_MS.first * 2 ** failures++);
      if (!this.#isOver) await this.#pause.next(pauseMs);
    }
  }

  #connect(): Promise<Connection> {
    const { config, network, version } = this.#parts;
    return Connection.open({
      config,
      network,
      version,
      onNoise: (text) => this.#logger.debug(this.#plain(text)),
    });
  }

  /** Looks again whenever something may be new, until the connection is no more. */
  async #follow(connection: Connection): Promise<void> {
    while (!this.#isOver) {
      await connection.news.next(LOOK_EVERY_MS);
      if (this.#isOver) return;
      if (connection.isClosed) throw new Error('The connection was closed by the server.');
      await this.#look(connection);
    }
  }

  async #look(connection: Connection): Promise<void> {
    const listed = await connection.listTools();
    const text = JSON.stringify(listed);
    const isBack = this.#offer.state === 'away';
    if (!isBack && text === this.#listed) return;
    this.#listed = text;
    const { tools, leftOut } = this.#toolsOf(connection, listed);
    this.#parts.tools.replace(this.#source, tools);
    this.#offer = {
      name: this.#parts.name,
      transport: this.#offer.transport,
      state: 'connected',
      since: isBack ? new Date().toISOString() : this.#offer.since,
      tools: tools.length,
      ...(leftOut.length > 0 && { leftOut: leftOut.slice(0, MOST_NAMED) }),
    };
    this.#logger.info(
      { tools: tools.length, ...(leftOut.length > 0 && { leftOut }) },
      'offers the tools of an MCP server',
    );
    this.#parts.onChange();
  }

  #toolsOf(connection: Connection, { tools: listed, unreadable }: Listed) {
    const tools = new Map<string, Tool>();
    const leftOut = unreadable.map((tool) => ({ tool, why: 'It is no tool by the protocol.' }));
    for (const each of listed) {
      try {
        const tool = this.#toolOf(connection, each);
        const other = tools.get(tool.ref);
        if (other) throw new Error(`Another tool of the server is called ${tool.name} here.`);
        tools.set(tool.ref, tool);
      } catch (error) {
        leftOut.push({ tool: cutText(each.name, 100), why: this.#problemIn(error) });
      }
    }
    return { tools: [...tools.values()], leftOut };
  }

  #toolOf(connection: Connection, listed: McpTool): Tool {
    const { name: server, config, demandLease } = this.#parts;
    const name = toolName(server, listed.name);
    if (name === undefined) throw new Error('Its name cannot be written as words of at most 100 characters.');
    if (listed.execution?.taskSupport === 'required')
      throw new Error('It can only be called as a task of the protocol, which is not supported.');
    const judged = judgeTool(listed, config.effects?.[listed.name]);
    if (judged.lapsed)
      this.#logger.warn(
        { tool: name, definition: judged.definition },
        `${name} is not what was confirmed as ${judged.lapsed}; it is called as non_repeatable until it is confirmed anew`,
      );
    return makeTool({
      server,
      name,
      listed,
      judged,
      connection,
      keyName: config.keyName ?? KEY_NAME,
      secrets: this.#secrets,
      demandLease,
      onTrouble: () => connection.news.ring(),
    });
  }

  /** Its tools are nobody's until it is back: who needs one stands in line for it. */
  #lost(error: unknown): void {
    if (this.#isOver) return;
    const problem = this.#problemIn(error);
    const isNew = this.#offer.state === 'connected' || this.#offer.problem !== problem;
    this.#parts.tools.replace(this.#source, []);
    this.#listed = '';
    const { state, since } = this.#offer;
    this.#offer = { ...this.#awayWith(problem), ...(state === 'away' && { since }) };
    if (!isNew) return;
    this.#logger.warn({ problem }, 'an MCP server is away; it is tried again');
    this.#parts.onChange();
  }

  #awayWith(problem: string | undefined): ServerOffer {
    const { name, config } = this.#parts;
    return {
      name,
      transport: 'command' in config ? 'stdio' : 'http',
      state: 'away',
      since: new Date().toISOString(),
      tools: 0,
      ...(problem !== undefined && { problem }),
    };
  }

  /** An error in one sentence, its causes included; they say what a failed fetch does not. */
  #problemIn(error: unknown): string {
    const parts: string[] = [];
    for (let each = error; each instanceof Error && parts.length < 4; each = each.cause)
      if (each.message !== '' && !parts.some((part) => part.includes((each as Error).message)))
        parts.push(each.message);
    return cutText(this.#plain(parts.join(': ') || String(error)), LONGEST_PROBLEM);
  }

  #plain(text: string): string {
    return scrubSecrets(text, this.#secrets);
  }
}
