import { pointerTo } from '../canonical/json-pointer.ts';
import { compileTemplate } from '../expression/index.ts';
import type { Json, JsonObject } from '../json.ts';
import { isKindName, kinds } from '../kinds/index.ts';
import { DEFAULT_RETRY } from '../state/retry.ts';
import { checkApproval } from './check-approval.ts';
import { type Suggest, TAKEN_PORTS } from './check-edges.ts';
import { checkWait } from './check-waits.ts';
import type { LlmNode, NodeConfig, SwitchNode, ToolNode } from './document.ts';
import { errorAt, type Issue } from './issue.ts';
import { type FoundNode, isRecord } from './read-scopes.ts';
import type { ToolDeclaration } from './tool-declaration.ts';
import { checkUserSchema, checkValue } from './user-schema.ts';

// Rules kept here: G5 a node's own configuration holds together; K12 kinds of later releases are refused.

/** What is registered; what is absent is not checked. */
export interface Registered {
  readonly tools?: ReadonlyMap<string, ToolDeclaration>;
  readonly models?: (id: string) => boolean;
}

/** Refuses kinds of later releases (K12). Unknown kinds are found with the structure. */
export function checkAvailable({ config, pointer }: FoundNode): Issue[] {
  if (!isKindName(String(config.kind)) || kinds[config.kind].available) return [];
  const message = `Nodes of kind "${config.kind}" are not available yet in this release`;
  return [
    errorAt(
      'kind_not_available',
      `${pointer}/kind`,
      message,
      'leave the node in the draft and publish without it',
    ),
  ];
}

/** Checks what a whole node says about itself. */
export function checkConfig(node: FoundNode, registered: Registered, suggest: Suggest): Issue[] {
  const { config, pointer } = node;
  return [
    ...checkRetry(config, pointer),
    ...checkCachedFallback(config, pointer, registered),
    ...(config.kind === 'llm' ? checkLlm(config, pointer, registered) : []),
    ...(config.kind === 'tool' ? checkTool(config, pointer, registered, suggest) : []),
    ...(config.kind === 'switch' ? checkCases(config, pointer) : []),
    ...(config.kind === 'wait' ? checkWait(config, pointer) : []),
    ...(config.kind === 'approval' ? checkApproval(config, pointer) : []),
  ];
}

function checkRetry({ retry }: NodeConfig, pointer: string): Issue[] {
  if (!retry) return [];
  const { initialMs, maxMs } = { ...DEFAULT_RETRY, ...retry };
  if (initialMs <= maxMs) return [];
  const message = `The first delay, initialMs ${initialMs}, is longer than the longest, maxMs ${maxMs}`;
  return [errorAt('retry_invalid', `${pointer}/retry`, message, 'raise maxMs or lower initialMs')];
}

/** K16: only what is kept can be fallen back to. */
function checkCachedFallback(config: NodeConfig, pointer: string, { tools }: Registered): Issue[] {
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

function checkLlm({ model, output }: LlmNode, pointer: string, { models }: Registered): Issue[] {
  const issues: Issue[] = [];
  if (models && !models(model)) {
    const message = `There is no model "${model}"`;
    issues.push(
      errorAt(
        'model_unknown',
        `${pointer}/model`,
        message,
        'the models of this engine are listed by GET /v1/models',
      ),
    );
  }
  if (output?.schema !== undefined) {
    for (const issue of checkUserSchema(output.schema)) {
      issues.push({ ...issue, pointer: `${pointer}/output/schema${issue.pointer}` });
    }
  }
  return issues;
}

function checkTool(config: ToolNode, pointer: string, { tools }: Registered, suggest: Suggest): Issue[] {
  if (!tools) return [];
  const declaration = tools.get(config.tool);
  if (!declaration) {
    const message = `There is no tool "${config.tool}"`;
    const others = [...tools.keys()].filter((each) => each.startsWith(`${config.tool.split('@')[0]}@`));
    const hint = others.length > 0 ? `there is ${others.join(', ')}` : suggest(config.tool, tools.keys());
    return [errorAt('tool_unknown', `${pointer}/tool`, message, hint)];
  }
  return checkArgs(config, pointer, declaration, suggest);
}

/** S1: in a flow that undoes, an effect that nobody can undo is worth a word. */
export function checkUndoable({ config, pointer }: FoundNode, { tools }: Registered): Issue[] {
  if (config.kind !== 'tool') return [];
  const declaration = tools?.get(config.tool);
  if (!declaration || declaration.effect === 'pure' || declaration.compensates) return [];
  return [
    {
      code: 'effect_not_undone',
      pointer: `${pointer}/tool`,
      message: `${config.tool} cannot undo what it did; when this flow fails its effect stays`,
      severity: 'warning',
      hint: 'declare compensate on the tool, or let the effect come last',
    },
  ];
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
    ...unknownArgs(config, pointer, args, input, suggest),
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

function unknownArgs(
  config: ToolNode,
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
        `${config.tool} has no argument "${name}"`,
        suggest(name, Object.keys(properties)),
      ),
    );
}

function checkCases({ cases }: SwitchNode, pointer: string): Issue[] {
  const seen = new Set<string>();
  return cases.flatMap(({ port }, at) => {
    const place = `${pointer}/cases/${at}/port`;
    if (TAKEN_PORTS.includes(port)) {
      return [
        errorAt(
          'port_reserved',
          place,
          `A case cannot be named "${port}": that name is kept for the ports a switch has anyway`,
        ),
      ];
    }
    if (seen.has(port))
      return [
        errorAt('port_duplicate', place, `Two cases are named "${port}"`, 'join their conditions with "or"'),
      ];
    seen.add(port);
    return [];
  });
}
