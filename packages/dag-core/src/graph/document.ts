import type { Json, JsonSchema } from '../json.ts';
import type { TestSetup } from '../testing/test-setup.ts';

/** The newest flow document format this release reads and the only one it writes. */
export const FLOW_FORMAT = 'pawl/1';

/** A JSON value whose strings may hold `{{ … }}` expressions (SPEC X1). */
export type Template = Json;

/** What is drawn: one JSON document that designer, API, CLI and git read and write alike (semantics §1). */
export interface FlowDocument {
  readonly format: string;
  /** Slug, unique in a workspace. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** JSON Schema 2020-12 of the run input. Absent: anything goes. */
  readonly input?: JsonSchema;
  /** Template of the run output. Absent: the outputs of the leaf nodes that ran, by node id. */
  readonly output?: Template;
  readonly budget?: BudgetLimits;
  readonly onFailure?: 'fail' | 'compensate';
  /** A run that takes longer fails (T16); milliseconds from its admission. */
  readonly timeoutMs?: number;
  /** Which workers run its nodes, where a node does not say otherwise. Default `default`. */
  readonly pool?: string;
  /** How many of its runs go on at once (L10). Absent: all of them. */
  readonly concurrency?: RunConcurrency;
  /** What to do with integers beyond ±(2^53−1) in incoming JSON. Default `refuse`. */
  readonly bigIntegers?: 'refuse' | 'strings';
  readonly nodes: readonly NodeConfig[];
  readonly edges: readonly EdgeConfig[];
  /** Positions, notes, frames, colours: never part of the hash, never changes a run. */
  readonly layout?: Json;
  /** Of a test run alone; no draft and no published version has it. */
  readonly test?: TestSetup;
}

/** Runs of a flow whose `key` gives the same text go on `limit` at a time; the others wait their turn. */
export interface RunConcurrency {
  /** A template over the input. Absent: all runs of the flow have one key. */
  readonly key?: string;
  /** Default 1. */
  readonly limit?: number;
}

/** Upper bounds for one run; each is optional and absent means unbounded. */
export interface BudgetLimits {
  readonly costUsd?: number;
  readonly tokens?: number;
  readonly modelCalls?: number;
  readonly wallClockMs?: number;
}

/** A drawn edge. `port` absent means the normal port of `from`. */
export interface EdgeConfig {
  readonly from: string;
  readonly port?: string;
  readonly to: string;
}

export type JoinRule = 'some' | 'every' | 'first';

export type OnError =
  | { readonly do: 'fail' }
  | { readonly do: 'continue' }
  | { readonly do: 'pause' }
  /** `cached`: what an earlier call with the same arguments gave, however old (K16); `value` when there is none. */
  | { readonly do: 'fallback'; readonly value?: Json; readonly cached?: true };

/** `maxAttempts` counts the first try; times in milliseconds; `jitter` is a share of the delay, 0…1. */
export interface RetryPolicy {
  readonly maxAttempts?: number;
  readonly initialMs?: number;
  readonly factor?: number;
  readonly maxMs?: number;
  readonly jitter?: number;
}

interface NodeBase {
  /** Stable slug that references use; unique in the whole document, inner graphs included. */
  readonly id: string;
  readonly title?: string;
  /** How several inbound edges are joined (SPEC E3). Default `some`. */
  readonly join?: JoinRule;
  /** Default: `pause` after transient failures ran out of attempts, `fail` otherwise (SPEC E8). */
  readonly onError?: OnError;
  readonly retry?: RetryPolicy;
  readonly timeoutMs?: number;
  /** Which workers run it (SPEC G12). Default: as the container around it, or as the flow says. */
  readonly pool?: string;
}

/** An inner graph of a container node. */
export interface InnerGraph {
  readonly nodes: readonly NodeConfig[];
  readonly edges: readonly EdgeConfig[];
}

export interface LlmMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface LlmParameters {
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxOutputTokens?: number;
  readonly seed?: number;
  readonly stop?: readonly string[];
}

export interface LlmNode extends NodeBase {
  readonly kind: 'llm';
  /** `<provider>:<model>`, for instance `sim:writer` or `openai:gpt-5-mini`. */
  readonly model: string;
  /** A single user message, or messages in order. */
  readonly prompt: string | readonly LlmMessage[];
  readonly parameters?: LlmParameters;
  /** With a schema the output is the parsed object, else the text. `repairs`: calls allowed to mend an invalid answer, default 1. */
  readonly output?: { readonly schema?: JsonSchema; readonly repairs?: number };
}

export interface ToolNode extends NodeBase {
  readonly kind: 'tool';
  /** `<name>@<version>`, for instance `files.read@1`. */
  readonly tool: string;
  readonly args?: Template;
}

export interface SwitchNode extends NodeBase {
  readonly kind: 'switch';
  /** `when` is an expression; the first true case takes its port, or all true ones with `mode: all`; none: port `default`. */
  readonly cases: readonly { readonly port: string; readonly when: string }[];
  readonly mode?: 'first' | 'all';
}

export interface TransformNode extends NodeBase {
  readonly kind: 'transform';
  readonly value: Template;
}

export interface CodeNode extends NodeBase {
  readonly kind: 'code';
  /** JavaScript module text: `export default ({ input, nodes }) => …`. */
  readonly source: string;
  readonly memoryMb?: number;
}

export interface MapNode extends NodeBase {
  readonly kind: 'map';
  /** Expression or literal list; one inner graph per item. */
  readonly over: Template;
  readonly body: InnerGraph;
  /** Template of one item's output. Absent: the outputs of the body's leaf nodes that ran (a single leaf's output alone). */
  readonly output?: Template;
  /** Items live at once. Default 16. */
  readonly concurrency?: number;
  readonly onItemError?: 'fail' | 'collect' | 'skip';
}

export interface LoopNode extends NodeBase {
  readonly kind: 'loop';
  /** Run once per turn. In it `item` is the output of the turn before (nothing in the first) and `index` counts turns from 0. */
  readonly body: InnerGraph;
  /** Expression over the turn that has just ended; true ends the loop. */
  readonly until: string;
  /** Template of one turn's output, as for a map; the loop's output is that of its last turn. */
  readonly output?: Template;
  /** Default 100. */
  readonly maxIterations?: number;
  /** When `maxIterations` turns were not enough: fail (default, `loop_limit`), or go on with the last turn's output, degraded. */
  readonly onMaxIterations?: 'fail' | 'continue';
}

/** What the model of an agent may call: a tool, or a person. */
export type AgentTool = AgentCall | AgentQuestion;

/** A tool that the model of an agent may call. */
export interface AgentCall {
  /** `<name>@<version>`. */
  readonly tool: string;
  /** What the model calls it. Default: the tool's name, with what a name may not hold as `_`. */
  readonly name?: string;
  /** For the model. Default: the tool's own. */
  readonly description?: string;
  /** An object template. Its members go over what the model gives; the model does not see them. May read secrets. */
  readonly args?: Template;
  /** Which calls a person must allow first. A text is the expression alone. */
  readonly approve?: string | CallApproval;
  /** A failed call, after its retries: tell the model (default), or fail the agent. */
  readonly onError?: 'tell' | 'fail';
  readonly retry?: RetryPolicy;
  readonly timeoutMs?: number;
}

/** Which calls of a tool a person must allow, and who that is. */
export interface CallApproval {
  /** Expression over `args`; true, or nothing, asks. */
  readonly when: string;
  readonly who?: readonly string[];
  readonly deadline?: Template;
  /** Default `fail`: the model is told that nobody answered. */
  readonly onDeadline?: DeadlineRule;
}

/** A person whom the model of an agent may ask. */
export interface AgentQuestion {
  readonly ask: 'person';
  /** Default `ask_person`. */
  readonly name?: string;
  readonly description?: string;
  /** JSON Schema of the answer. Default: a text, `answer`. */
  readonly form?: JsonSchema;
  readonly who?: readonly string[];
  readonly deadline?: Template;
  readonly onDeadline?: DeadlineRule;
}

export interface AgentNode extends NodeBase {
  readonly kind: 'agent';
  readonly model: string;
  readonly system?: string;
  /** The task: a single user message, or messages in order. */
  readonly prompt: string | readonly LlmMessage[];
  readonly tools: readonly AgentTool[];
  /** Default 20. */
  readonly maxTurns?: number;
  /** Expression over `turn`, the turn that has just ended: true ends the agent. */
  readonly stop?: string;
  readonly parameters?: LlmParameters;
  /** As for an `llm`; `value` is a template of the agent's output that may read `turn`, its last turn. */
  readonly output?: { readonly schema?: JsonSchema; readonly repairs?: number; readonly value?: Template };
}

export interface JoinNode extends NodeBase {
  readonly kind: 'join';
}

/** Waits for a time, until an instant, or for a signal; says exactly one of them. */
export interface WaitNode extends NodeBase {
  readonly kind: 'wait';
  readonly signal?: SignalName;
  /** Of a wait for a signal: how long there is (a duration), or until when (an instant). */
  readonly deadline?: Template;
  /** Default `fail`; `continue` goes on by the port `timeout`. */
  readonly onDeadline?: 'fail' | 'continue';
  /** Gives a duration: milliseconds, or ISO 8601 such as `PT15M`. */
  readonly for?: Template;
  /** Gives an instant: ISO 8601 with its offset, or epoch milliseconds. */
  readonly until?: Template;
}

/** Asks a person and goes on with the answer: by the normal port when approved, by `rejected` otherwise. */
export interface ApprovalNode extends NodeBase {
  readonly kind: 'approval';
  /** One line that says what is asked; may hold expressions, as `details` may. */
  readonly subject: string;
  /** What a person needs to know to decide, as text. */
  readonly details?: string;
  /** JSON Schema of what is filled in. */
  readonly form?: JsonSchema;
  /** What is filled in already, and may be changed before approving. */
  readonly values?: Template;
  /** Names of the keys that may answer. Absent: everybody. */
  readonly who?: readonly string[];
  /** How long there is for an answer (a duration), or until when (an instant). */
  readonly deadline?: Template;
  /** Default `fail`. */
  readonly onDeadline?: DeadlineRule;
  /** What counts when the deadline approves. Default: `values`. */
  readonly deadlineValues?: Template;
}

/** What becomes of a question that nobody answered in time. */
export type DeadlineRule = 'fail' | 'reject' | 'approve';

/** Sends a signal to whoever waits for it, or will. */
export interface EmitNode extends NodeBase {
  readonly kind: 'emit';
  readonly signal: SignalName;
  readonly payload?: Template;
  /** Gives the id of the run that may take it. Absent: any run of the workspace. */
  readonly to?: string;
}

/** What a signal is called. `key` tells apart who is meant, for instance an order's number; it is a text that may hold expressions. */
export interface SignalName {
  readonly name: string;
  readonly key?: string;
}

/** Runs another flow (SPEC K12). */
export interface FlowNode extends NodeBase {
  readonly kind: 'flow';
  /** `<name>@latest`, `<name>@<number>`, `<name>@<version id>`, `<name>@self`, or `<name>`: see `parseFlowRef`. */
  readonly flow: string;
  /** Absent: `{}`. */
  readonly input?: Template;
  /** Lowers or sets limits of the flow for this run of it. */
  readonly budget?: BudgetLimits;
}

export type NodeConfig =
  | LlmNode
  | ToolNode
  | SwitchNode
  | TransformNode
  | CodeNode
  | MapNode
  | LoopNode
  | AgentNode
  | JoinNode
  | WaitNode
  | ApprovalNode
  | EmitNode
  | FlowNode;

export type KindName = NodeConfig['kind'];

/** The inner graph that a node holds: of a map, of a loop. */
export const bodyOf = (node: NodeConfig): InnerGraph | undefined => ('body' in node ? node.body : undefined);
