import type { McpOrigin, ModelInfo, ToolInfo } from '@pawl/api';
import type { EffectClass, JsonSchema, ToolDeclaration } from '@pawl/dag-core';
import { type CatalogEntry, type HotStore, listCatalog } from '@pawl/run-store';

/** Read again after this long: workers that start meanwhile may offer more. */
const FRESH_MS = 2_000;

/** The tools and models that workers have offered. */
export class Catalog {
  readonly #store: HotStore;
  #read: Promise<Offered> | undefined;
  #readAt = 0;

  constructor(store: HotStore) {
    this.#store = store;
  }

  async tools(): Promise<readonly ToolInfo[]> {
    return (await this.#offered()).tools;
  }

  async models(): Promise<readonly ModelInfo[]> {
    return (await this.#offered()).models;
  }

  /** What flows may name; undefined as long as no worker has ever said what it offers. */
  async registered() {
    const { declarations, providers } = await this.#offered();
    if (providers.size === 0) return undefined;
    return {
      tools: declarations,
      models: (id: string) => providers.has(id.slice(0, Math.max(0, id.indexOf(':')))),
    };
  }

  #offered(): Promise<Offered> {
    const now = performance.now();
    if (!this.#read || now - this.#readAt > FRESH_MS) {
      this.#readAt = now;
      const read = listCatalog(this.#store.pool).then(offered);
      read.catch(() => {
        this.#read = undefined;
      });
      this.#read = read;
    }
    return this.#read;
  }
}

interface Offered {
  readonly tools: readonly ToolInfo[];
  readonly models: readonly ModelInfo[];
  readonly declarations: ReadonlyMap<string, ToolDeclaration>;
  readonly providers: ReadonlySet<string>;
}

/** A tool as its SDK declares it. */
interface DeclaredTool {
  readonly ref: string;
  readonly name: string;
  readonly version: string;
  readonly title: string;
  readonly description: string;
  readonly effect: EffectClass;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly timeoutMs?: number;
  readonly compensates: boolean;
  readonly probes: boolean;
  readonly polls: boolean;
  readonly mcp?: McpOrigin;
}

interface DeclaredModel {
  readonly id: string;
  readonly provider: string;
  readonly price?: {
    readonly inputNanoUsd: number;
    readonly outputNanoUsd: number;
    readonly cacheReadNanoUsd?: number;
    readonly version: string;
  };
}

function offered(entries: readonly CatalogEntry[]): Offered {
  const of = <T>(kind: CatalogEntry['kind']) =>
    entries.filter((entry) => entry.kind === kind).map((entry) => entry.declaration as unknown as T);
  const tools = of<DeclaredTool>('tool');
  return {
    tools: tools.map(toolInfo),
    models: of<DeclaredModel>('model').map(modelInfo),
    declarations: new Map(
      tools.map((tool) => [tool.ref, { ...tool, input: tool.inputSchema, output: tool.outputSchema }]),
    ),
    providers: new Set(of<{ name: string }>('provider').map(({ name }) => name)),
  };
}

const toolInfo = ({
  name,
  version,
  title,
  description,
  effect,
  compensates,
  probes,
  polls,
  timeoutMs,
  inputSchema,
  outputSchema,
  mcp,
}: DeclaredTool): ToolInfo => ({
  name,
  version,
  title,
  description,
  effect,
  compensates,
  probes,
  polls,
  input: inputSchema,
  ...(timeoutMs !== undefined && { timeoutMs }),
  ...(outputSchema !== undefined && { output: outputSchema }),
  ...(mcp && { mcp }),
});

const modelInfo = ({ id, provider, price }: DeclaredModel): ModelInfo => ({
  id,
  provider,
  simulated: provider === 'sim',
  ...(price && {
    inputUsdPerMillion: price.inputNanoUsd / 1_000,
    outputUsdPerMillion: price.outputNanoUsd / 1_000,
    ...(price.cacheReadNanoUsd !== undefined && { cachedUsdPerMillion: price.cacheReadNanoUsd / 1_000 }),
    priceVersion: price.version,
  }),
});
