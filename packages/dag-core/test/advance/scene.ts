import {
  type Allowance,
  AllRows,
  applyEvent,
  type BudgetLimits,
  compileGraph,
  Decider,
  type EdgeConfig,
  type EffectClass,
  type Fact,
  type Failure,
  type FailureClass,
  type FlowDocument,
  foldJournal,
  type Intent,
  type JournalEvent,
  type Json,
  type ModelAnswer,
  type NodeConfig,
  type NodeRunState,
  type ParentRun,
  RunView,
  type Spend,
  type StartedFlow,
  type Verdict,
} from '../../src/index.ts';

/** A run in memory, driven fact by fact with a clock of the test's own. */
export class Scene {
  readonly view: RunView;
  readonly rows = new AllRows();
  readonly journal: JournalEvent[] = [];
  /** Runs of sub-flows that were started and that nobody has admitted yet. */
  readonly starts: StartedFlow[] = [];
  nowMs = 1_000_000;

  constructor(
    nodes: readonly NodeConfig[],
    edges: readonly EdgeConfig[] = [],
    budget: BudgetLimits = {},
    more: Partial<FlowDocument> = {},
    parent?: ParentRun,
    allowance?: Allowance,
    undoing?: NonNullable<StartedFlow['undoing']>,
  ) {
    this.view = new RunView(
      compileGraph({ format: 'pawl/1', name: 'scene', ...more, nodes, edges }),
      this.rows,
    );
    const admitted: JournalEvent = {
      type: 'run.admitted',
      path: '',
      attempt: 0,
      data: {
        v: 1,
        versionId: 'v',
        input: null,
        budget: budget as Json,
        trigger: 'test',
        seed: 's',
        ...(parent && { parent }),
        ...(allowance && { allowance }),
        ...(undoing && { undoesRun: undoing.runId }),
      },
    };
    const first: JournalEvent[] = [admitted];
    if (undoing)
      first.push({
        type: 'compensation.planned',
        path: '',
        attempt: 0,
        data: { v: 1, reason: 'parent', ...undoing.plan },
      });
    for (const event of first) applyEvent(this.view, event);
    this.journal.push(...first);
  }

  get run() {
    return this.view.run;
  }

  row(path: string): NodeRunState {
    const found = this.rows.get(path);
    if (!found) throw new Error(`${path} was never reached`);
    return found;
  }

  /** Status of every node run that was reached. */
  statuses(): Record<string, string> {
    return Object.fromEntries([...this.rows.byPath.values()].map((row) => [row.path, row.status]));
  }

  /** Decides one fact; the events that followed are its answer's second half. */
  tell(fact: Fact): { verdict: Verdict; events: JournalEvent[] } {
    this.view.changed.clear();
    const decider = new Decider(this.view, this.nowMs);
    const verdict = decider.decide(fact);
    this.journal.push(...decider.events);
    this.starts.push(...decider.starts);
    return { verdict, events: decider.events };
  }

  /** Decides several facts at once, as a worker that ran ahead sends them. */
  tellTogether(...facts: Fact[]): Verdict[] {
    this.view.changed.clear();
    const decider = new Decider(this.view, this.nowMs);
    const verdicts = facts.map((fact) => decider.decide(fact));
    this.journal.push(...decider.events);
    return verdicts;
  }

  claim(path: string, workerId = 'w1'): { path: string; attempt: number; workerId: string } {
    const row = this.row(path);
    this.view.move(row, 'claim');
    row.attempt += 1;
    row.workerId = workerId;
    return { path, attempt: row.attempt, workerId };
  }

  succeed(path: string, more: { ports?: string[]; answer?: ModelAnswer } = {}) {
    return this.tell({ ...this.claimed(path), type: 'succeeded', output: path, ...more });
  }

  fail(
    path: string,
    kind: FailureClass = 'permanent',
    more: { isAmbiguous?: boolean; hasHappened?: boolean; answer?: ModelAnswer } = {},
  ) {
    return this.tell({ ...this.claimed(path), type: 'failed', failure: failureOf(kind), random: 0, ...more });
  }

  intent(path: string, effect: EffectClass | 'model', reserved?: Spend) {
    return this.tell({ ...this.claimed(path), type: 'intent', intent: intentOf(path, effect, reserved) });
  }

  /** The worker that holds `path`; claims it first when it is ready. */
  claimed(path: string): { path: string; attempt: number; workerId: string } {
    const row = this.row(path);
    return row.status === 'ready'
      ? this.claim(path)
      : { path, attempt: row.attempt, workerId: row.workerId! };
  }

  /** The state that the journal alone tells. */
  fold() {
    return foldJournal(
      this.view.graph,
      this.journal.map((event, i) => ({ ...event, seq: i + 1, at: 0 })),
    );
  }
}

export const node = (id: string, more: Partial<NodeConfig> = {}): NodeConfig =>
  ({ id, kind: 'transform', value: null, ...more }) as NodeConfig;

export const mapOf = (id: string, nodes: readonly NodeConfig[], more: Partial<NodeConfig> = {}): NodeConfig =>
  ({ id, kind: 'map', over: [], body: { nodes, edges: [] }, ...more }) as NodeConfig;

export const loopOf = (
  id: string,
  nodes: readonly NodeConfig[],
  more: Partial<NodeConfig> = {},
): NodeConfig => ({ id, kind: 'loop', until: 'true', body: { nodes, edges: [] }, ...more }) as NodeConfig;

export const failureOf = (kind: FailureClass): Failure => ({
  code: `is_${kind}`,
  message: 'It fails.',
  class: kind,
});

export const intentOf = (path: string, effect: EffectClass | 'model', reserved?: Spend): Intent => ({
  call: 0,
  effect,
  target: 't@1',
  key: `key of ${path}`,
  request: { to: path },
  requestHash: 'h',
  ...(reserved && { reserved }),
});

export const answerOf = (costNanoUsd: number, tokens: number): ModelAnswer => ({
  provider: 'sim',
  model: 'm',
  finishReason: 'stop',
  text: 'x',
  usage: { input: tokens, output: 0 },
  costNanoUsd,
  prices: 'p',
  totalMs: 1,
});
