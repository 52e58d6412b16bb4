import { randomUUID } from 'node:crypto';
import {
  childPath,
  type ExpressionEnv,
  type ExpressionScope,
  type FlowGraph,
  type GraphNode,
  type Json,
  type ModelAnswer,
  type NodeView,
  type PathTarget,
  parsePath,
  pathSeenFrom,
  type ToolCallFate,
  type TraceContext,
  viewsBefore,
} from '@pawl/dag-core';
import type { ModelRequest } from '@pawl/tool-sdk';
import type { NodeTemplate } from './compiled-flow.ts';
import { compiledFlow } from './compiled-flow.ts';
import { seededRandom } from './random.ts';
import { markedReferences, withOwnReferences } from './secret-references.ts';

/** How a template is evaluated. */
export interface EvaluateOptions {
  readonly schema?: Json;
  readonly allowSecrets?: boolean;
  /** Roots that exist for this template only. */
  readonly roots?: Pick<ExpressionScope, 'turn' | 'args'>;
  /** Told when the clock was read, with what it answered. */
  readonly onClock?: (nowMs: number) => void;
}

/** Reads outputs of node runs from the store, many at once. */
export interface OutputReader {
  /** undefined when the node run was never reached or has not ended. */
  read(runId: string, path: string): Promise<EndedView | undefined>;
}

/** How a node run ended, as expressions see it. */
export interface EndedView extends NodeView {
  /** Of the model call of an agent's turn: what the model answered, and what became of the calls it asked for. */
  readonly asked?: { readonly answer: ModelAnswer; readonly calls: readonly ToolCallFate[] };
}

/** What a worker knows of a run: its version, its input, and the outputs it has seen (which never change). */
export class RunContext {
  readonly runId: string;
  readonly workspaceId: string;
  readonly versionId: string;
  readonly graph: FlowGraph;
  readonly input: Json;
  readonly seed: string;
  readonly run: { readonly id: string; readonly startedAt: string };
  /** Of whoever started the run. */
  readonly trace: TraceContext | undefined;
  /** Of an undo run: the ended run whose effects it undoes (F9). */
  readonly undoesRun: string | undefined;
  readonly #reader: OutputReader;
  readonly #ended = new Map<string, EndedView>();
  readonly #requests = new Map<string, ModelRequest>();
  readonly #items = new Map<string, Json[]>();

  constructor(
    about: {
      runId: string;
      workspaceId: string;
      versionId: string;
      graph: FlowGraph;
      input: Json;
      seed: string;
      startedAtMs: number;
      trace?: TraceContext | undefined;
      undoesRun?: string | undefined;
    },
    reader: OutputReader,
  ) {
    this.runId = about.runId;
    this.workspaceId = about.workspaceId;
    this.versionId = about.versionId;
    this.graph = about.graph;
    this.input = about.input;
    this.seed = about.seed;
    this.run = { id: about.runId, startedAt: new Date(about.startedAtMs).toISOString() };
    this.trace = about.trace;
    this.undoesRun = about.undoesRun;
    this.#reader = reader;
  }

  /** Remembers how a node run ended. */
  ended(path: string, view: EndedView): void {
    this.#ended.set(path, view);
  }

  /** Remembers the request whose intent was committed for a node run: what an agent's conversation begins with. */
  requested(path: string, request: ModelRequest): void {
    this.#requests.set(path, request);
  }

  request(path: string): ModelRequest | undefined {
    return this.#requests.get(path);
  }

  /** What was believed of these node runs did not come true: it is read again when it is asked for. */
  forget(paths: Iterable<string>): void {
    for (const path of paths) this.#ended.delete(path);
  }

  /** What expressions see of a node run; an empty view when it has not ended. */
  view(path: string): EndedView | Promise<EndedView> {
    return this.#ended.get(path) ?? this.#read(path);
  }

  async #read(path: string): Promise<EndedView> {
    const view = await this.#reader.read(this.runId, path);
    if (view) this.#ended.set(path, view);
    return view ?? {};
  }

  /**
   * The scope of a template that stands in `scopePath` ('' = the run, `each/3` = an item).
   * Answers at once when everything it reads is known.
   */
  scope(scopePath: string, nodes: readonly GraphNode[]): ExpressionScope | Promise<ExpressionScope> {
    const views: Record<string, NodeView> = viewsBefore(this.graph, scopePath);
    const waiting: Promise<void>[] = [];
    for (const node of nodes) {
      if (Object.hasOwn(views, node.id)) continue;
      const view = this.view(pathSeenFrom(this.graph, scopePath, node));
      if (!(view instanceof Promise)) views[node.id] = view;
      else {
        const fill = async () => {
          views[node.id] = await view;
        };
        waiting.push(fill());
      }
    }
    if (scopePath === '') {
      const scope = { input: this.input, nodes: views, run: this.run };
      return waiting.length > 0 ? Promise.all(waiting).then(() => scope) : scope;
    }
    const target = parsePath(this.graph, scopePath)!;
    const item = this.#item(target);
    const build = (item: Json | undefined): ExpressionScope => ({
      input: this.input,
      nodes: views,
      run: this.run,
      ...(item !== undefined && { item }),
      index: target.itemIndex!,
    });
    if (waiting.length === 0 && !(item instanceof Promise)) return build(item);
    return Promise.all([item, ...waiting]).then(([found]) => build(found as Json | undefined));
  }

  /** What `item` is: of a map the item, of a loop the output of the turn before, nothing in the first. */
  #item({ node, itemIndex, parent }: PathTarget): Json | undefined | Promise<Json> {
    const index = itemIndex!;
    if (node.config.kind === 'loop') {
      if (index === 0) return undefined;
      const before = this.view(childPath(parent, index - 1));
      return before instanceof Promise
        ? before.then(({ output }) => output ?? null)
        : (before.output ?? null);
    }
    const items = this.items(parent);
    return items instanceof Promise ? items.then((list) => list[index] ?? null) : (items[index] ?? null);
  }

  /** The list a map runs over: evaluated again by each worker, with the same result, and then kept. */
  items(mapPath: string): Json[] | Promise<Json[]> {
    const known = this.#items.get(mapPath);
    if (known) return known;
    const { node, parent } = parsePath(this.graph, mapPath)!;
    const list = this.evaluate(mapPath, parent, compiledFlow(this.graph).node(node).over!, {
      schema: { type: 'array' },
    });
    const keep = (value: Json): Json[] => {
      if (!Array.isArray(value)) throw new NotAListError(mapPath, value);
      this.#items.set(mapPath, value);
      return value;
    };
    return list instanceof Promise ? list.then(keep) : keep(list);
  }

  /**
   * Evaluates a template of the node run at `path`.
   *
   * @param options see {@link EvaluateOptions}
   */
  evaluate(
    path: string,
    scopePath: string,
    template: NodeTemplate,
    options: EvaluateOptions = {},
  ): Json | Promise<Json> {
    const scope = this.scope(scopePath, template.nodes);
    return scope instanceof Promise
      ? scope.then((ready) => this.#fill(path, template, ready, options))
      : this.#fill(path, template, scope, options);
  }

  #fill(
    path: string,
    template: NodeTemplate,
    ready: ExpressionScope,
    { schema, roots, allowSecrets, onClock }: EvaluateOptions,
  ): Json | Promise<Json> {
    const names = allowSecrets ? secretsOf(template) : [];
    const mark = names.length > 0 ? `${randomUUID()}:` : undefined;
    const secrets = mark && markedReferences(names, mark);
    const value = template.compiled.evaluate(
      secrets || roots ? { ...ready, ...roots, ...(secrets && { secrets }) } : ready,
      new RecordedChance(this.seed, path, onClock),
      schema ? { schema: schema as never } : {},
    );
    if (!allowSecrets) return value;
    return value instanceof Promise
      ? value.then((filled) => withOwnReferences(filled, mark))
      : withOwnReferences(value, mark);
  }
}

/** Clock and randomness of one template: the same for every attempt once the clock was recorded (X6). */
class RecordedChance implements ExpressionEnv {
  readonly #seed: string;
  readonly #path: string;
  readonly #onClock: ((nowMs: number) => void) | undefined;
  #random: (() => number) | undefined;
  #clock: number | undefined;

  constructor(seed: string, path: string, onClock: ((nowMs: number) => void) | undefined) {
    this.#seed = seed;
    this.#path = path;
    this.#onClock = onClock;
  }

  now(): number {
    this.#clock ??= Date.now();
    this.#onClock?.(this.#clock);
    return this.#clock;
  }

  random(): number {
    this.#random ??= seededRandom(this.#seed, this.#path);
    return this.#random();
  }
}

/** Names of the secrets that a template reads. */
const secretsOf = ({ compiled }: NodeTemplate): string[] =>
  compiled.references
    .filter((reference) => reference.root === 'secrets')
    .map((reference) => reference.path.split('.')[1]!);

/** Thrown when `over` of a map yields something that is no list. */
class NotAListError extends Error {
  readonly code = 'map_over_not_a_list';
  constructor(path: string, value: Json) {
    super(`Map ${path} needs a list to run over; its "over" gave ${value === null ? 'null' : typeof value}.`);
  }
}
