import type { Accepted } from './accepted.ts';
import type { AcceptedCall, PollAnswer, ProbeAnswer, ToolContext, UndoAnswer } from './context.ts';
import type { Json, JsonObject, JsonSchema } from './json.ts';
import type { Parsed, ParseResult, SchemaLike, Unparsed } from './schema.ts';

/** What repeating a tool does to the world. */
export const EFFECT_CLASSES = ['pure', 'idempotent', 'non_repeatable'] as const;
export type EffectClass = (typeof EFFECT_CLASSES)[number];

/** `maxAttempts` counts the first try; times in milliseconds; `jitter` is a share of the delay, 0…1. */
export interface ToolRetry {
  readonly maxAttempts?: number;
  readonly initialMs?: number;
  readonly factor?: number;
  readonly maxMs?: number;
  readonly jitter?: number;
}

/**
 * How replay compares one field of a new call with the recorded one (replay §2.4). `ref`: an identifier that an earlier
 * call produced; `set`: an array whose order means nothing; `instant`: a point in time, zones folded.
 */
export type MatchRule =
  | { readonly rule: 'ignore' | 'trim' | 'casefold' | 'nfc' | 'instant' | 'set' | 'uri' | 'ref' }
  | { readonly rule: 'number'; readonly abs?: number; readonly rel?: number }
  | { readonly rule: 'synonyms'; readonly groups: readonly (readonly string[])[] };

/** `fields` by JSON pointer into the arguments (`*` stands for any index); `keys`: the pointers that identify a call. */
export interface ToolMatch {
  readonly fields?: Readonly<Record<string, MatchRule>>;
  readonly keys?: readonly string[];
}

/** Names of the things that one call reads and writes, for instance `customer:42`. */
export interface ToolResources {
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
}

/** What a tool is; handed to `defineTool`. */
export interface ToolDefinition<I extends SchemaLike, O extends SchemaLike> {
  /** Dotted lower-case words, for instance `crm.find`. */
  readonly name: string;
  /** A whole number as text, from `'1'`. Raise it when a recorded call would no longer mean the same. */
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly effect: EffectClass;
  readonly input: I;
  readonly output?: O;
  /** Does the work. What it returns is checked against `output` and must be JSON. */
  execute(ctx: ToolContext, args: Parsed<I>): Promise<Unparsed<O> | Accepted> | Unparsed<O> | Accepted;
  /**
   * Undoes a completed effect: a function, or `run` with a `probe` of its own. Not for pure tools.
   * @example compensate: { run: (ctx, { result }) => refund(ctx, result.id), probe: (ctx, done, key) => findRefund(ctx, key) }
   */
  readonly compensate?: Undo<Parsed<I>, Parsed<O>>['run'] | Undo<Parsed<I>, Parsed<O>>;
  /**
   * Finds out whether the effect with `key` happened; asked before a person is. Only looks, and may be asked any number of times.
   * After `not_applied` the effect is sent again, so it must mean that the effect did not happen. Not for pure tools.
   */
  probe?(
    ctx: ToolContext,
    args: Parsed<I>,
    key: string,
  ): Promise<ProbeAnswer<Unparsed<O>>> | ProbeAnswer<Unparsed<O>>;
  /**
   * How long after it was sent a request may still take effect, milliseconds: `not_applied` counts only when the probe was asked
   * later than that. Default 5,000.
   */
  readonly settlesWithinMs?: number;
  /**
   * Finds out how a call stands that its service took (`ctx.accepted`), for services that are asked rather than call back. Only
   * looks, and may be asked any number of times; no worker is held between. Its word ends the call as a callback does, and the
   * first word counts. Not for pure tools.
   */
  poll?(
    ctx: ToolContext,
    args: Parsed<I>,
    accepted: AcceptedCall,
  ): Promise<PollAnswer<Unparsed<O>>> | PollAnswer<Unparsed<O>>;
  readonly match?: ToolMatch;
  resources?(args: Parsed<I>): ToolResources;
  /** How long results may be reused for the same arguments. Pure tools only. */
  readonly cacheTtlMs?: number;
  /** Longest time of one attempt, milliseconds. The host has a default. */
  readonly timeoutMs?: number;
  readonly retry?: ToolRetry;
}

/** A completed effect, as it is undone. `key` is the one it was sent with. */
export interface DoneEffect<Args, Result> {
  readonly args: Args;
  /** null when a person decided to undo an effect whose answer nobody knows. */
  readonly result: Result;
  readonly key: string;
}

/** How an effect is undone. Undoing is an effect itself: it has its own key (`ctx.idempotencyKey`), retries and doubt. */
export interface Undo<Args, Result> {
  run(ctx: ToolContext, done: DoneEffect<Args, Result>): Promise<void> | void;
  /** Finds out whether the undoing with `key` happened: like the tool's own `probe`, with nothing to tell but that. */
  probe?(ctx: ToolContext, done: DoneEffect<Args, Result>, key: string): Promise<UndoAnswer> | UndoAnswer;
}

/** A tool as the host sees it: frozen, checked, with its schemas compiled. Made by `defineTool` only. */
export interface Tool<Args = unknown, Result = unknown> {
  readonly name: string;
  readonly version: string;
  /** `<name>@<version>`: what a flow says. */
  readonly ref: string;
  readonly title: string;
  readonly description: string;
  readonly effect: EffectClass;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema | undefined;
  readonly match: ToolMatch | undefined;
  readonly cacheTtlMs: number | undefined;
  readonly timeoutMs: number | undefined;
  readonly retry: ToolRetry | undefined;
  /** Absent when the tool cannot undo or be asked. */
  readonly compensate: ToolCompensate<Args, Result> | undefined;
  readonly probe: ToolProbe<Args> | undefined;
  readonly poll: ToolPoll<Args> | undefined;
  /** Absent when nobody can be asked whether an undoing happened. */
  readonly probeUndo: ToolProbeUndo<Args, Result> | undefined;
  readonly settlesWithinMs: number;
  /** Checks arguments and fills in defaults. */
  parseInput(value: unknown): ParseResult<Args>;
  /** Checks a returned value: JSON first (see `toJson`), then the output schema. The value is a fresh copy. */
  parseOutput(value: unknown): ParseResult<Json>;
  /** Arguments must come from `parseInput`; the result must go through `parseOutput`. */
  execute(ctx: ToolContext, args: Args): Promise<unknown>;
  resources(args: Args): ToolResources | undefined;
  /** Everything about the tool that is data, for the journal, the API and the designer. */
  declaration(): ToolDeclaration;
}

// Written as methods of an object type so that a Tool<{ path: string }, …> fits where a Tool is asked for.
type ToolCompensate<Args, Result> = {
  run(ctx: ToolContext, done: DoneEffect<Args, Result>): Promise<void>;
}['run'];
type ToolProbeUndo<Args, Result> = {
  run(ctx: ToolContext, done: DoneEffect<Args, Result>, key: string): Promise<UndoAnswer>;
}['run'];
type ToolProbe<Args> = {
  run(ctx: ToolContext, args: Args, key: string): Promise<ProbeAnswer<unknown>>;
}['run'];
type ToolPoll<Args> = {
  run(ctx: ToolContext, args: Args, accepted: AcceptedCall): Promise<PollAnswer<unknown>>;
}['run'];

/** The data of a tool as plain JSON; recorded with each call, so that a later reader knows what was declared then. */
export type ToolDeclaration = JsonObject & {
  ref: string;
  name: string;
  version: string;
  title: string;
  description: string;
  effect: EffectClass;
  inputSchema: JsonSchema;
  compensates: boolean;
  probes: boolean;
  polls: boolean;
};
