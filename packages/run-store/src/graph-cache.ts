import { compileGraph, type FlowDocument, type FlowGraph } from '@pawl/dag-core';
import { StoreError } from './errors.ts';
import { type HotPool, runStatement, type Statement } from './hot-pool.ts';

const statement: Statement = {
  name: 'load-version',
  text: 'select document::text as document from flow_version where workspace_id = $1 and id = $2',
};

/** How many compiled versions a process keeps; the least recently used goes first. */
const KEPT = 200;

/** Compiled versions, loaded once: a version never changes. */
export class GraphCache {
  readonly #pool: HotPool;
  readonly #graphs = new Map<string, Promise<FlowGraph>>();

  constructor(pool: HotPool) {
    this.#pool = pool;
  }

  /** @throws {StoreError} `version_not_found` */
  get(workspaceId: string, versionId: string): Promise<FlowGraph> {
    const key = `${workspaceId} ${versionId}`;
    const found = this.#graphs.get(key);
    this.#graphs.delete(key);
    const graph = found ?? this.#load(workspaceId, versionId);
    this.#graphs.set(key, graph);
    if (!found) {
      graph.catch(() => this.#graphs.delete(key));
      const oldest = this.#graphs.keys().next().value;
      if (this.#graphs.size > KEPT && oldest !== undefined) this.#graphs.delete(oldest);
    }
    return graph;
  }

  async #load(workspaceId: string, versionId: string): Promise<FlowGraph> {
    const [row] = await runStatement<{ document: string }>(this.#pool, statement, [workspaceId, versionId]);
    if (!row) throw new StoreError('version_not_found', { version: versionId });
    return compileGraph(JSON.parse(row.document) as FlowDocument);
  }
}
