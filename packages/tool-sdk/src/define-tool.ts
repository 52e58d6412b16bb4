import { ToolDefinitionError } from './errors.ts';
import type { Json, JsonObject } from './json.ts';
import {
  type CompiledSchema,
  compileSchema,
  type Parsed,
  type ParseResult,
  type SchemaLike,
} from './schema.ts';
import { toJson } from './to-json.ts';
import {
  EFFECT_CLASSES,
  type Tool,
  type ToolDeclaration,
  type ToolDefinition,
  type ToolRetry,
  type Undo,
} from './tool.ts';

/** Marks tools across copies of this package. */
const TOOL = Symbol.for('pawl.tool');
const NAME = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/;
const VERSION = /^[1-9][0-9]{0,8}$/;
/** setTimeout cannot count further; a longer attempt is a mistake. */
const MAX_TIMEOUT_MS = 86_400_000;
/** As long as a service may take to do what it was sent, when its tool does not say. */
const DEFAULT_SETTLES_WITHIN_MS = 5_000;

/**
 * Defines a tool. The types of `args` and of the result follow from the schemas.
 *
 * @throws {ToolDefinitionError} naming what is wrong: name, version, effect class, schemas, or options that do not go
 *   with the effect class
 * @example
 * export const find = defineTool({
 *   name: 'crm.find', version: '1', effect: 'pure',
 *   input: z.object({ email: z.string() }),
 *   output: z.object({ id: z.string() }).nullable(),
 *   async execute(ctx, { email }) { … },
 * });
 */
export function defineTool<I extends SchemaLike, O extends SchemaLike = true>(
  definition: ToolDefinition<I, O>,
): Tool<Parsed<I>, Parsed<O>> {
  checkDefinition(definition);
  const input = compile(definition, 'input', definition.input);
  const output =
    definition.output === undefined ? undefined : compile(definition, 'output', definition.output);
  const { name, version, probe, poll } = definition;
  const undo = undoOf(definition);
  const tool: Tool<Parsed<I>, Parsed<O>> = {
    name,
    version,
    ref: `${name}@${version}`,
    title: definition.title ?? name,
    description: definition.description ?? '',
    effect: definition.effect,
    inputSchema: input.jsonSchema,
    outputSchema: output?.jsonSchema,
    settlesWithinMs: definition.settlesWithinMs ?? DEFAULT_SETTLES_WITHIN_MS,
    match: definition.match,
    cacheTtlMs: definition.cacheTtlMs,
    timeoutMs: definition.timeoutMs,
    retry: definition.retry,
    compensate: undo && (async (ctx, done) => undo.run(ctx, done)),
    probe: probe && (async (ctx, args, key) => probe.call(definition, ctx, args, key)),
    poll: poll && (async (ctx, args, accepted) => poll.call(definition, ctx, args, accepted)),
    probeUndo: undo?.probe && (async (ctx, done, key) => undo.probe!(ctx, done, key)),
    parseInput: (value) => input.parse(value),
    parseOutput: (value) => parseOutput(output, value),
    execute: async (ctx, args) => definition.execute(ctx, args),
    resources: (args) => definition.resources?.(args),
    declaration: () => declare(tool),
  };
  Object.defineProperty(tool, TOOL, { value: 1 });
  return deepFreeze(tool);
}

/** True for values made by `defineTool`, also of another copy of this package. */
export const isTool = (value: unknown): value is Tool =>
  typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[TOOL] === 1;

function compile<S extends SchemaLike>(
  definition: { readonly name: string },
  side: 'input' | 'output',
  schema: S,
): CompiledSchema<Parsed<S>> {
  try {
    return compileSchema(schema, side);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ToolDefinitionError(definition.name, `its ${side} cannot be used: ${why}.`, cause);
  }
}

function parseOutput(schema: CompiledSchema<unknown> | undefined, value: unknown): ParseResult<Json> {
  // A tool without a result returns undefined, which is null as data.
  const asJson = toJson(value === undefined ? null : value);
  if (!asJson.ok) return notJson(asJson.pointer, asJson.found);
  if (schema === undefined) return asJson;
  const parsed = schema.parse(asJson.value);
  if (!parsed.ok) return parsed;
  const again = toJson(parsed.value);
  return again.ok ? again : notJson(again.pointer, again.found);
}

const notJson = (pointer: string, found: string): ParseResult<never> => ({
  ok: false,
  issues: [{ pointer, message: `is not JSON (found ${found})` }],
});

function checkDefinition(definition: ToolDefinition<SchemaLike, SchemaLike>): void {
  const { name, version, effect } = definition;
  const refuse = (problem: string): never => {
    throw new ToolDefinitionError(name, problem);
  };
  if (typeof name !== 'string' || name.length > 100 || !NAME.test(name)) {
    refuse('the name must be dotted lower-case words such as "crm.find", at most 100 characters.');
  }
  if (typeof version !== 'string' || !VERSION.test(version)) {
    refuse(`the version must be a whole number as text, such as "1"; found ${JSON.stringify(version)}.`);
  }
  if (!EFFECT_CLASSES.includes(effect)) {
    refuse(`the effect must be one of ${EFFECT_CLASSES.join(', ')}; found ${JSON.stringify(effect)}.`);
  }
  if (definition.input === undefined)
    refuse('the input schema is missing; use z.object({}) for a tool without arguments.');
  if (typeof definition.execute !== 'function') refuse('execute must be a function.');
  for (const hook of ['probe', 'poll', 'resources'] as const) {
    const given = definition[hook];
    if (given !== undefined && typeof given !== 'function') refuse(`${hook} must be a function.`);
  }
  checkUndo(definition.compensate, refuse);
  if (effect === 'pure' && (definition.compensate ?? definition.probe ?? definition.poll)) {
    refuse('a pure tool changes nothing, so it can have neither compensate nor probe nor poll.');
  }
  if (effect !== 'pure' && definition.cacheTtlMs !== undefined) {
    refuse('cacheTtlMs is for pure tools only: a cached result would leave the effect out.');
  }
  if (
    definition.settlesWithinMs !== undefined &&
    definition.probe === undefined &&
    undoOf(definition)?.probe === undefined
  ) {
    refuse('settlesWithinMs goes with a probe: nobody else asks what became of a call.');
  }
  checkNumbers(definition, refuse);
}

/** How a tool undoes; a function is the short form. */
function undoOf<I extends SchemaLike, O extends SchemaLike>(
  definition: Pick<ToolDefinition<I, O>, 'compensate'>,
): Undo<Parsed<I>, Parsed<O>> | undefined {
  const { compensate } = definition;
  if (typeof compensate !== 'function') return compensate;
  return { run: (ctx, done) => compensate.call(definition, ctx, done) };
}

function checkUndo(given: unknown, refuse: (problem: string) => never): void {
  if (given === undefined || typeof given === 'function') return;
  const { run, probe } = (given ?? {}) as { run?: unknown; probe?: unknown };
  if (typeof run !== 'function' || (probe !== undefined && typeof probe !== 'function'))
    refuse('compensate must be a function, or { run, probe } with functions, of which probe may be absent.');
}

function checkNumbers(
  definition: ToolDefinition<SchemaLike, SchemaLike>,
  refuse: (problem: string) => never,
): void {
  const between = (
    label: string,
    value: number | undefined,
    min: number,
    max: number,
    whole: boolean,
  ): void => {
    if (value === undefined) return;
    const fits =
      typeof value === 'number' && value >= min && value <= max && (!whole || Number.isInteger(value));
    if (!fits)
      refuse(
        `${label} must be ${whole ? 'a whole number' : 'a number'} from ${min} to ${max}; found ${value}.`,
      );
  };
  between('timeoutMs', definition.timeoutMs, 1, MAX_TIMEOUT_MS, true);
  between('settlesWithinMs', definition.settlesWithinMs, 0, MAX_TIMEOUT_MS, true);
  between('cacheTtlMs', definition.cacheTtlMs, 1, Number.MAX_SAFE_INTEGER, true);
  const retry: ToolRetry = definition.retry ?? {};
  between('retry.maxAttempts', retry.maxAttempts, 1, 1_000, true);
  between('retry.initialMs', retry.initialMs, 0, MAX_TIMEOUT_MS, false);
  between('retry.factor', retry.factor, 1, 100, false);
  between('retry.maxMs', retry.maxMs, 0, MAX_TIMEOUT_MS, false);
  between('retry.jitter', retry.jitter, 0, 1, false);
}

function declare(tool: Tool): ToolDeclaration {
  const optional: JsonObject = {};
  for (const key of ['outputSchema', 'match', 'cacheTtlMs', 'timeoutMs', 'retry'] as const) {
    if (tool[key] !== undefined) optional[key] = structuredClone(tool[key]) as Json;
  }
  return {
    ref: tool.ref,
    name: tool.name,
    version: tool.version,
    title: tool.title,
    description: tool.description,
    effect: tool.effect,
    inputSchema: structuredClone(tool.inputSchema),
    compensates: tool.compensate !== undefined,
    probes: tool.probe !== undefined,
    polls: tool.poll !== undefined,
    ...optional,
  };
}

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null && !Object.isFrozen(member)) deepFreeze(member);
  }
  return Object.freeze(value);
}
