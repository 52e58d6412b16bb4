import { pointerTo } from '../canonical/json-pointer.ts';
import { compileTemplate } from '../expression/index.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Suggest } from './check-edges.ts';
import { bodyOf, type InnerGraph, type NodeConfig, type ToolNode } from './document.ts';
import { errorAt, type Issue } from './issue.ts';
import { type FoundNode, isRecord } from './read-scopes.ts';
import type { Registered, ToolDeclaration } from './tool-declaration.ts';
import { checkValue } from './user-schema.ts';

// Rules kept here: G5 a tool exists and takes the arguments that are known; S1 what nobody can undo is named.

/** The issue of a tool that is not registered. */
export function unknownTool(
  ref: string,
  pointer: string,
  tools: NonNullable<Registered['tools']>,
  suggest: Suggest,
): Issue {
  const others = [...tools.keys()].filter((each) => each.startsWith(`${ref.split('@')[0]}@`));
  const hint = others.length > 0 ? `there is ${others.join(', ')}` : suggest(ref, tools.keys());
  return errorAt('tool_unknown', `${pointer}/tool`, `There is no tool "${ref}"`, hint);
}

/** Checks the tool of a node and its arguments. */
export function checkTool(
  config: ToolNode,
  pointer: string,
  { tools }: Registered,
  suggest: Suggest,
): Issue[] {
  if (!tools) return [];
  const declaration = tools.get(config.tool);
  if (!declaration) return [unknownTool(config.tool, pointer, tools, suggest)];
  return checkArgs(config, pointer, declaration, suggest);
}

/** S1: in a flow that undoes, an effect that nobody can undo is worth a word, also one of a flow that it runs. */
export function checkUndoable({ config, pointer }: FoundNode, { tools, flows }: Registered): Issue[] {
  const notUndone = (ref: string, place: string, by = ''): Issue[] => {
    const declaration = tools?.get(ref);
    if (!declaration || declaration.effect === 'pure' || declaration.compensates) return [];
    return [
      {
        code: 'effect_not_undone',
        pointer: `${pointer}${place}`,
        message: `${ref}${by} cannot undo what it did; when this flow fails its effect stays`,
        severity: 'warning',
        hint: 'declare compensate on the tool, or let the effect come last',
      },
    ];
  };
  if (config.kind !== 'flow') return namedTools(config).flatMap(({ ref, place }) => notUndone(ref, place));
  const found = flows?.get(config.flow);
  const called = found && 'tools' in found ? (found.tools ?? []) : [];
  return called.flatMap((ref) => notUndone(ref, '/flow', `, which ${config.flow} calls,`));
}

/** The tools that a flow may call, inner graphs included. */
export function toolsIn({ nodes }: InnerGraph): string[] {
  const named = nodes.flatMap((node) => {
    const body = bodyOf(node);
    return [...namedTools(node).map(({ ref }) => ref), ...(body ? toolsIn(body) : [])];
  });
  return [...new Set(named)];
}

/** The tools that a node may call. */
export function namedTools(config: NodeConfig): { ref: string; place: string }[] {
  if (config.kind === 'tool') return [{ ref: config.tool, place: '/tool' }];
  if (config.kind !== 'agent') return [];
  return config.tools.flatMap((each, at) =>
    'ask' in each ? [] : [{ ref: each.tool, place: `/tools/${at}/tool` }],
  );
}

/** Arguments known when the flow is drawn are checked like those of a call; the others when they are known. */
function checkArgs(config: ToolNode, pointer: string, { input }: ToolDeclaration, suggest: Suggest): Issue[] {
  const args = config.args ?? {};
  if (compileTemplate(args).isConstant) {
    return checkValue(input, args).map((issue) => ({
      ...issue,
      code: 'args_invalid',
      pointer: `${pointer}/args${issue.pointer}`,
      message: `${config.tool}: ${issue.message}`,
    }));
  }
  if (!isRecord(args) || typeof input === 'boolean') return [];
  return [
    ...missingArgs(config, pointer, args, input),
    ...unknownArgs(config.tool, pointer, args, input, suggest),
  ];
}

function missingArgs(config: ToolNode, pointer: string, args: object, input: JsonObject): Issue[] {
  const required = Array.isArray(input.required) ? input.required : [];
  return required
    .filter((name) => typeof name === 'string' && !Object.hasOwn(args, name))
    .map((name) =>
      errorAt('args_invalid', `${pointer}/args`, `${config.tool} needs the argument "${String(name)}"`),
    );
}

/** Arguments that a tool does not have. */
export function unknownArgs(
  ref: string,
  pointer: string,
  args: object,
  input: JsonObject,
  suggest: Suggest,
): Issue[] {
  const properties: Json = input.properties ?? {};
  if (input.additionalProperties !== false || !isRecord(properties) || input.patternProperties !== undefined)
    return [];
  return Object.keys(args)
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) =>
      errorAt(
        'args_invalid',
        pointerTo(`${pointer}/args`, name),
        `${ref} has no argument "${name}"`,
        suggest(name, Object.keys(properties)),
      ),
    );
}

/** K16: only what is kept can be fallen back to. */
export function checkCachedFallback(config: NodeConfig, pointer: string, { tools }: Registered): Issue[] {
  if (config.onError?.do !== 'fallback' || !config.onError.cached) return [];
  const declaration = config.kind === 'tool' ? tools?.get(config.tool) : undefined;
  if (config.kind === 'tool' && (!tools || !declaration || declaration.cacheTtlMs !== undefined)) return [];
  const what =
    config.kind === 'tool' ? `Results of ${config.tool}` : `Outputs of a node of kind ${config.kind}`;
  return [
    errorAt(
      'fallback_not_cached',
      `${pointer}/onError/cached`,
      `${what} are not kept, so there is nothing to fall back to`,
      'give a value instead, or use a pure tool that declares cacheTtlMs',
    ),
  ];
}
