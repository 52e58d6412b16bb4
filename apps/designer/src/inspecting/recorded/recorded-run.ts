import {
  childPath,
  compileExpression,
  compileGraph,
  compileTemplate,
  type ExpressionEnv,
  type ExpressionScope,
  type FlowDocument,
  type FlowGraph,
  type GraphNode,
  type Json,
  type JsonSchema,
  type NodeView,
  parsePath,
  pathSeenFrom,
  readingsOf,
  type Template,
  viewsBefore,
} from '@pawl/dag-core';
import { valueThrough } from '../members.ts';

/** Reads what a run recorded. */
export interface RunRecord {
  readonly document: FlowDocument;
  readonly input: Json;
  readonly run: { readonly id: string; readonly startedAt: string };
  /** How a node run ended; undefined when it was not reached or has not ended. */
  nodeRun(path: string): Promise<NodeView | undefined>;
}

/** A run cannot say what is asked of it. */
export class NotRecordedError extends Error {
  readonly code: 'version_lacks_node' | 'item_not_there' | 'not_reached' | 'known_in_the_run_only';
  /** The node, or the root, that is meant. */
  readonly what: string;
  constructor(code: NotRecordedError['code'], what: string) {
    super(`${code}: ${what}`);
    this.code = code;
    this.what = what;
  }
}

/** How a template is filled. */
export interface Filling {
  readonly template: Template;
  readonly as: 'value' | 'text' | 'expression';
  readonly schema?: JsonSchema | undefined;
}

/** A run that is over, or goes on, as something to evaluate expressions on: what they would have given there. */
export class RecordedRun {
  readonly record: RunRecord;
  readonly graph: FlowGraph;
  readonly #items = new Map<string, Promise<readonly Json[]>>();

  constructor(record: RunRecord) {
    this.record = record;
    this.graph = compileGraph(record.document);
  }

  /**
   * What a template gives in a scope of the run.
   *
   * @param scopePath '' for the run, `each/3` for an item
   * @param onBegin told when everything is read and only the evaluation is left
   * @throws {NotRecordedError} {ExpressionError}
   */
  async evaluate({ template, as, schema }: Filling, scopePath: string, onBegin?: () => void): Promise<Json> {
    const compiled =
      as === 'expression'
        ? compileExpression(String(template))
        : compileTemplate(template, { text: as === 'text' });
    const { references } = compiled;
    const unknown = references.find(({ root }) => root === 'turn' || root === 'args');
    if (unknown) throw new NotRecordedError('known_in_the_run_only', unknown.root);
    const ids = references.flatMap(({ node }) => (node === undefined ? [] : [node]));
    const secrets = references.flatMap(({ root, path }) => (root === 'secrets' ? [path.split('.')[1]!] : []));
    const scope = await this.scope(scopePath, ids);
    const withSecrets = secrets.length > 0 && {
      secrets: Object.fromEntries(secrets.map((name) => [name, { $secret: name }])),
    };
    onBegin?.();
    return compiled.evaluate({ ...scope, ...withSecrets }, CLOCK, schema === undefined ? {} : { schema });
  }

  /** What expressions see in a scope, as far as these nodes are concerned. */
  async scope(scopePath: string, ids: readonly string[]): Promise<ExpressionScope> {
    const given = viewsBefore(this.graph, scopePath);
    const views = await Promise.all(ids.map((id) => given[id] ?? this.#view(scopePath, id)));
    const nodes = Object.fromEntries(ids.map((id, at) => [id, views[at]!]));
    const { input, run } = this.record;
    if (scopePath === '') return { input, nodes, run };
    const { node, itemIndex, parent } = this.#container(scopePath);
    const item = await this.#item(node, itemIndex, parent);
    return { input, nodes, run, index: itemIndex, ...(item !== undefined && { item }) };
  }

  #container(scopePath: string): { node: GraphNode; itemIndex: number; parent: string } {
    const target = parsePath(this.graph, scopePath);
    if (target?.itemIndex === undefined) {
      const id = scopePath.split('/').at(-2) ?? scopePath;
      throw new NotRecordedError('version_lacks_node', id);
    }
    return { node: target.node, itemIndex: target.itemIndex, parent: target.parent };
  }

  async #view(scopePath: string, id: string): Promise<NodeView> {
    const node = this.graph.nodes.get(id);
    if (!node) throw new NotRecordedError('version_lacks_node', id);
    if (scopePath !== '') this.#container(scopePath);
    return (await this.record.nodeRun(pathSeenFrom(this.graph, scopePath, node))) ?? {};
  }

  /** Of a map the item, of a loop the output of the turn before, nothing in the first. */
  async #item(node: GraphNode, index: number, path: string): Promise<Json | undefined> {
    if (node.config.kind === 'loop')
      return index === 0
        ? undefined
        : ((await this.record.nodeRun(childPath(path, index - 1)))?.output ?? null);
    const items = await this.items(path);
    if (index >= items.length) throw new NotRecordedError('item_not_there', String(index));
    return items[index]!;
  }

  /** The list that a map ran over. It is not recorded: it is what its expression gives on what is. */
  items(path: string): Promise<readonly Json[]> {
    let items = this.#items.get(path);
    if (!items) {
      items = this.#itemsOf(path);
      this.#items.set(path, items);
    }
    return items;
  }

  async #itemsOf(path: string): Promise<readonly Json[]> {
    const { node, parent } = parsePath(this.graph, path)!;
    if (node.config.kind !== 'map') return [];
    const list = await this.evaluate(
      { template: node.config.over, as: 'value', schema: { type: 'array' } },
      parent,
    );
    return Array.isArray(list) ? list : [];
  }

  /** What a path of an expression leads to: `['nodes', 'find', 'output', 'lines']`. */
  async valueAt(path: readonly string[], scopePath: string): Promise<Json | undefined> {
    const ids = path[0] === 'nodes' && path[1] !== undefined ? [path[1]] : [];
    const scope = (await this.scope(scopePath, ids)) as unknown as Json;
    return valueThrough(scope, path);
  }

  /** What the node run at a path read: each path that its expressions name, once. */
  async readings(path: string): Promise<{ readonly path: string; readonly value: Json | undefined }[]> {
    const target = parsePath(this.graph, path);
    if (!target) throw new NotRecordedError('version_lacks_node', path.split('/').at(-1)!);
    const names = new Set(this.#named(target.node));
    return Promise.all(
      [...names].map(async (written) => ({
        path: written,
        value: await this.valueAt(written.split('.'), target.parent).catch(() => undefined),
      })),
    );
  }

  /** Code names what it reads in words of its own: whatever of the graph around is called in it. */
  #named({ config, scope }: GraphNode): string[] {
    if (config.kind === 'code') {
      const isNamed = (id: string) => new RegExp(`\\b${id}\\b`).test(config.source);
      const nodes = scope.nodes.filter(({ id }) => id !== config.id && isNamed(id));
      return ['input', ...nodes.map(({ id }) => `nodes.${id}.output`)];
    }
    const isInTheRunOnly = ['secrets', 'turn', 'args'];
    return readingsOf(config)
      .filter(({ root }) => !isInTheRunOnly.includes(root))
      .map(({ path }) => path);
  }
}

const CLOCK: ExpressionEnv = { now: Date.now, random: Math.random };
