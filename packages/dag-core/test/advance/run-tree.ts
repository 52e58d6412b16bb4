import {
  type Fact,
  isTerminalRun,
  lastFirst,
  type NodeConfig,
  type NodeRunState,
  parseFlowRef,
  parsePath,
  type StartedFlow,
  undoPlanOf,
  type Verdict,
  type WordUp,
  wordDown,
  wordUp,
} from '../../src/index.ts';
import { intentOf, Scene } from './scene.ts';

/** A flow of a tree: its nodes, one after the other. */
export interface TreeFlow {
  readonly nodes: readonly NodeConfig[];
  readonly onFailure?: 'compensate';
}

/** A run of a tree, the topmost one or below another. */
export interface TreeRun {
  readonly id: string;
  readonly scene: Scene;
  readonly parent?: { readonly id: string; readonly path: string };
  /** Of an undo run: the run whose effects it undoes. */
  readonly undoes?: string;
}

interface Word {
  readonly from: string;
  readonly to: string;
  readonly path: string;
  readonly fact: Fact;
}

/** A run and everything below it, in memory: words between the runs wait until they are delivered. */
export class RunTree {
  readonly runs = new Map<string, TreeRun>();
  /** By who says it to whom: the newest one is what there is to hear. */
  readonly words = new Map<string, Word>();
  /** Effects that happened, and those that were undone, as `<run>:<path>`, in order. */
  readonly done: string[] = [];
  readonly undone: string[] = [];
  readonly #flows: Readonly<Record<string, TreeFlow>>;

  constructor(flows: Readonly<Record<string, TreeFlow>>) {
    this.#flows = flows;
    const { nodes, onFailure } = flows.top!;
    const scene = new Scene(nodes, chained(nodes), {}, onFailure ? { onFailure } : {});
    this.runs.set('top', { id: 'top', scene });
  }

  get top(): Scene {
    return this.scene('top');
  }

  scene(id: string): Scene {
    return this.runs.get(id)!.scene;
  }

  /** Decides a fact of one run, and admits and says what follows for others. */
  tell(id: string, fact: Fact): Verdict {
    const { scene, parent } = this.runs.get(id)!;
    const wasOver = isTerminalRun(scene.run.status);
    const { verdict, events } = scene.tell(fact);
    if (wasOver && events.length > 0) throw new Error(`${id} had ended and changed by ${fact.type}`);
    for (const start of scene.starts.splice(0)) this.#admit(id, scene, start);
    for (const path of scene.view.tell) {
      const word = path === '' ? parent && this.#wordUp(id, scene, parent) : this.#wordDown(id, scene, path);
      if (word) this.words.set(`${word.from} ${word.to}`, word);
    }
    scene.view.tell.clear();
    return verdict;
  }

  #admit(id: string, { run }: Scene, { runId, path, undoes, undoing, flow }: StartedFlow): void {
    const { nodes, onFailure } = this.#flows[flow]!;
    const depth = (run.more?.parent?.depth ?? 0) + 1;
    const parent = { runId: id, path, versionId: 'v', depth, ...(undoes && { undoes }) };
    const more = onFailure ? { onFailure } : {};
    const scene = new Scene(nodes, chained(nodes), {}, more, parent, undefined, undoing);
    this.runs.set(runId, {
      id: runId,
      scene,
      parent: { id, path },
      ...(undoing && { undoes: undoing.runId }),
    });
  }

  #wordUp(from: string, scene: Scene, { id: to, path }: { id: string; path: string }): Word {
    const { endSeq, ...said } = wordUp(from, scene.run);
    const event = endSeq === undefined ? undefined : scene.journal[endSeq - 1];
    let end: WordUp['end'];
    if (event?.type === 'run.statusChanged') {
      const { status, failure, output } = event.data;
      end = { status, ...(failure && { failure }), ...(output !== undefined && { output }) };
    }
    return {
      from,
      to,
      path,
      fact: { type: 'subFlowSaid', path, word: { ...said, ...(end && { end }) } },
    };
  }

  #wordDown(from: string, { run, rows }: Scene, path: string): Word {
    const row = rows.get(path)!;
    return {
      from,
      to: row.more!.subFlow!.runId,
      path,
      fact: { type: 'parentSaid', word: wordDown(run, row) },
    };
  }

  /** Delivers a word; kept, it will be told again. */
  deliver(key: string, isKept = false): void {
    const { to, fact } = this.words.get(key)!;
    if (!isKept) this.words.delete(key);
    this.tell(to, fact);
  }

  /** What can be worked on: node runs that are ready, and ends that are due. */
  ready(): { readonly id: string; readonly row?: NodeRunState }[] {
    return [...this.runs.values()].flatMap(({ id, scene: { run, rows } }) => {
      if (isTerminalRun(run.status)) return [];
      const isUndoing = run.status === 'compensating';
      const mayStart = isUndoing || (run.failure === undefined && run.status !== 'cancelling');
      const found: { readonly id: string; readonly row?: NodeRunState }[] = rows
        .openUnder('')
        .filter((row) => row.status === 'ready' && mayStart && isUndoing === (row.kind === 'undo'))
        .map((row) => ({ id, row }));
      const isEndDue = run.openCount === 0 && mayStart && !isUndoing;
      return isEndDue ? [...found, { id }] : found;
    });
  }

  /** A worker takes a node run up, or the end of a run, and brings it to an end. */
  work(id: string, row?: NodeRunState, goes: 'well' | 'wrong' | 'lost' = 'well'): void {
    if (!row) {
      this.tell(id, { type: 'runEnded', output: 'out' });
      return;
    }
    const { scene, undoes } = this.runs.get(id)!;
    const { path, kind } = row;
    const by = scene.claim(path);
    if (goes === 'lost') {
      this.tell(id, { ...by, type: 'lost', reason: 'its worker is gone' });
      return;
    }
    const { node, itemIndex } = parsePath(scene.view.graph, path)!;
    const isEffect = kind === 'tool' || (kind === 'undo' && node.config.kind === 'tool');
    if (isEffect) {
      const compensates = kind === 'tool' ? { compensates: true as const } : {};
      this.tell(id, { ...by, type: 'intent', intent: { ...intentOf(path, 'idempotent'), ...compensates } });
    }
    if (goes === 'wrong' && itemIndex === undefined && node.config.kind !== 'map') {
      const failure = { code: 'away', message: 'Later.', class: 'transient' } as const;
      this.tell(id, { ...by, type: 'failed', failure, random: 0 });
      return;
    }
    if (node.config.kind === 'flow') this.#startFlow(id, scene, by, node.config.flow);
    else if (node.config.kind === 'map' && itemIndex === undefined && row.itemCount === undefined)
      this.tell(id, { ...by, type: 'expanded', count: 2, itemsHash: 'h' });
    else {
      if (kind === 'tool') this.done.push(`${id}:${path}`);
      if (kind === 'undo') this.undone.push(`${undoes ?? id}:${path.slice(0, path.lastIndexOf('/'))}`);
      this.tell(id, { ...by, type: 'succeeded', output: path });
    }
  }

  #startFlow(id: string, scene: Scene, by: ReturnType<Scene['claim']>, flow: string): void {
    const runId = `r${this.runs.size}`;
    const { name } = parseFlowRef(flow)!;
    const { graph } = scene.view;
    const start = { type: 'startsFlow', runId, versionId: 'v', graph, input: null, budget: {} } as const;
    if (scene.row(by.path).kind !== 'undo') {
      this.tell(id, { ...by, ...start, flow: name });
      return;
    }
    const ended = scene.row(by.path.slice(0, by.path.lastIndexOf('/'))).more!.toUndo!.at(-1)!;
    const plan = undoPlanOf(this.scene(ended.runId).rows.completedEffects().sort(lastFirst));
    this.tell(id, { ...by, ...start, flow: ended.flow, undoing: { runId: ended.runId, plan } });
  }

  /** Timers of the whole tree are due. */
  pass(): void {
    for (const { id, scene } of this.runs.values())
      for (const { path, status, wakeAt } of scene.rows.openUnder(''))
        if (status === 'retry_wait') {
          scene.nowMs = Math.max(scene.nowMs, wakeAt!);
          this.tell(id, { type: 'timerDue', path });
        }
  }

  /** Everything goes well from here on, but for one node run of the topmost run, until nothing is left to do. */
  settle(failing?: string): void {
    for (let round = 0; round < 10_000; round++) {
      this.pass();
      const [word] = this.words.keys();
      const [next] = this.ready();
      if (word !== undefined) this.deliver(word);
      else if (next)
        this.work(next.id, next.row, next.id === 'top' && next.row?.path === failing ? 'wrong' : 'well');
      else if (!this.#byPerson()) return;
    }
    throw new Error('the tree does not come to rest');
  }

  /** A person skips what waits for one. */
  #byPerson(): boolean {
    for (const { id, scene } of this.runs.values())
      for (const row of scene.rows.openUnder(''))
        if (row.status === 'waiting' && row.reason === 'failure') {
          this.tell(id, { type: 'settle', path: row.path, verdict: 'skip', by: 'ada' });
          return true;
        }
    return false;
  }
}

const chained = (nodes: readonly NodeConfig[]) =>
  nodes.slice(1).map((to, i) => ({ from: nodes[i]!.id, to: to.id }));
