import type { ServerOffer } from '@pawl/run-store/work';
import type { McpConfig } from './config.ts';
import { McpServer, type ServerParts } from './server.ts';

/** Longest that the end of a worker waits for its servers. */
const CLOSE_MS = 2_000;

/** The MCP servers of a worker. None of them keeps it from working: what is away is offered when it comes. */
export class McpServers {
  readonly #servers: readonly McpServer[];

  constructor(config: McpConfig, parts: Omit<ServerParts, 'name' | 'config'>) {
    this.#servers = Object.entries(config).map(([name, of]) => new McpServer({ ...parts, name, config: of }));
  }

  /** How each of them stands, in the order of the configuration. */
  offers(): ServerOffer[] {
    return this.#servers.map(({ offer }) => offer);
  }

  start(): void {
    for (const server of this.#servers) server.start();
  }

  /** Ends the connections; a server that does not obey ends with the pipe of this process. */
  async close(): Promise<void> {
    const closing = Promise.all(this.#servers.map((server) => server.close()));
    await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
  }
}
