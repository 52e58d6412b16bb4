import type { Reference } from '../expression/index.ts';
import type { Json, JsonSchema } from '../json.ts';
import type { ReferenceWorld } from './check-references.ts';
import { namedTools } from './check-tools.ts';
import { type Issue, warningAt } from './issue.ts';
import { type FoundNode, isRecord } from './read-scopes.ts';
import { readingsOf } from './readings.ts';
import type { Registered } from './tool-declaration.ts';

// Rules kept here: G13 what cannot be taken back is not left to chance: each way in which it would be is a warning.

/** What the checks of effects need to know. */
export interface EffectWorld extends ReferenceWorld {
  readonly document: Readonly<Record<string, unknown>>;
  readonly registered: Registered;
}

/** Warns of effects that a retry repeats, that a model decides alone, or that happen any number of times; and of agents without a budget. */
export function checkEffects(node: FoundNode, world: EffectWorld): Issue[] {
  if (node.isBroken) return [];
  const issues = checkBudget(node, world);
  for (const { ref, place } of repeatableNever(node, world)) {
    const pointer = `${node.pointer}${place}`;
    issues.push(...checkRepeated(node, ref, pointer), ...checkBounds(node, ref, pointer, world));
    if (node.config.kind !== 'flow') issues.push(...checkGuard(node, ref, place, world));
  }
  return issues;
}

function checkBudget({ config, pointer }: FoundNode, { document }: EffectWorld): Issue[] {
  const budget = isRecord(document.budget) ? document.budget : {};
  const isBounded = ['costUsd', 'tokens', 'modelCalls'].some((unit) => budget[unit] !== undefined);
  if (config.kind !== 'agent' || isBounded) return [];
  const message = `The agent "${config.id}" may spend whatever its turns take: the flow has no budget`;
  return [
    warningAt('budget_missing', pointer, message, 'give the flow one, for instance budget: { costUsd: 1 }'),
  ];
}

/** The non-repeatable tools that a node, or the flow that it runs, may call. */
function repeatableNever(
  { config }: FoundNode,
  { registered }: EffectWorld,
): { ref: string; place: string }[] {
  const found = config.kind === 'flow' ? registered.flows?.get(config.flow) : undefined;
  const called = found && 'tools' in found ? (found.tools ?? []) : [];
  return [...namedTools(config), ...called.map((ref) => ({ ref, place: '/flow' }))].filter(
    ({ ref }) => registered.tools?.get(ref)?.effect === 'non_repeatable',
  );
}

/** The containers around a node, the nearest first. */
function* containersOf(node: FoundNode): Generator<FoundNode> {
  for (let at = node.scope.container; at; at = at.scope.container) if (!at.isBroken) yield at;
}

function checkRepeated(node: FoundNode, ref: string, pointer: string): Issue[] {
  const around = node.config.kind === 'flow' ? [node, ...containersOf(node)] : [...containersOf(node)];
  const retried = around.find(({ config }) => (config.retry?.maxAttempts ?? 1) > 1);
  if (!retried) return [];
  const message = `${ref} must not be repeated, but "${retried.id}" around it is tried again as a whole, and calls it again`;
  const hint = `take retry off "${retried.id}", or use a tool that honours a key`;
  return [warningAt('effect_repeated', pointer, message, hint)];
}

function checkBounds(node: FoundNode, ref: string, pointer: string, world: EffectWorld): Issue[] {
  const open = [...containersOf(node)].find((each) => isOpenMap(each, world));
  if (!open) return [];
  const message = `${ref} is called for every item of "${open.id}", however many there are`;
  const hint = `give the list maxItems in its schema, or let a person approve before "${open.id}"`;
  return [warningAt('effect_unbounded', pointer, message, hint)];
}

/** A map whose list may be of any length, and that nobody looked at before. */
function isOpenMap(map: FoundNode, world: EffectWorld): boolean {
  const { config } = map;
  if (config.kind !== 'map' || Array.isArray(config.over)) return false;
  const [reading] = readingsOf(config).filter(({ pointer }) => pointer === '/over');
  const isPath = reading && config.over === `{{ ${reading.path} }}`;
  const list = isPath ? schemaOf(reading, world) : undefined;
  if (isRecord(list) && typeof list.maxItems === 'number') return false;
  return !hasBetween(undefined, map, ['approval'], world);
}

/** What is known of what a path reads. */
function schemaOf({ root, node, path }: Reference, { byId, document, registered }: EffectWorld): unknown {
  const names = path.split('.');
  if (root === 'input') return member(document.input as JsonSchema | undefined, names.slice(1));
  const config = node === undefined ? undefined : byId.get(node)?.config;
  const rest = names.slice(3);
  if (config?.kind === 'llm' || config?.kind === 'agent') return member(config.output?.schema, rest);
  if (config?.kind === 'tool') return member(registered.tools?.get(config.tool)?.output, rest);
  return undefined;
}

function member(schema: JsonSchema | undefined, names: readonly string[]): Json | undefined {
  return names.reduce<Json | undefined>((each, name) => {
    const properties = isRecord(each) ? each.properties : undefined;
    return isRecord(properties) && Object.hasOwn(properties, name) ? (properties[name] as Json) : undefined;
  }, schema);
}

function checkGuard(node: FoundNode, ref: string, place: string, world: EffectWorld): Issue[] {
  const { config } = node;
  const pointer = `${node.pointer}${place}`;
  if (config.kind === 'agent') {
    const tool = config.tools[Number(place.split('/')[2])];
    if (!tool || 'ask' in tool || tool.approve !== undefined) return [];
    const message = `The model of "${config.id}" decides alone about ${ref}, which cannot be taken back`;
    return [
      warningAt('effect_unguarded', pointer, message, 'say with approve which calls a person allows first'),
    ];
  }
  const model = [...modelsRead(node, '/args', world)].find(
    (each) => !hasBetween(each, node, ['approval', 'switch'], world),
  );
  if (!model) return [];
  const message = `${ref} cannot be taken back, and gets what the model of "${model.id}" wrote, whatever it is`;
  const hint = `put an approval, or a switch that looks at it, between "${model.id}" and "${config.id}"`;
  return [warningAt('effect_unguarded', pointer, message, hint)];
}

/** Nodes with a model whose words a template reads, also through transforms and the items of maps. */
function* modelsRead(
  node: FoundNode,
  field: string,
  world: EffectWorld,
  seen = new Set<FoundNode>(),
): Generator<FoundNode> {
  for (const { pointer, root, node: id } of readingsOf(node.config)) {
    if (!pointer.startsWith(field)) continue;
    const source = root === 'item' ? node.scope.container : world.byId.get(id ?? '');
    if (!source || source === node || source.isBroken || seen.has(source)) continue;
    seen.add(source);
    if (root === 'item') yield* modelsRead(source, '/over', world, seen);
    else if (hasModel(source)) yield source;
    else if (source.config.kind === 'transform') yield* modelsRead(source, '', world, seen);
  }
}

const hasModel = ({ config, body }: FoundNode): boolean =>
  config.kind === 'llm' || config.kind === 'agent' || (body?.nodes.some(hasModel) ?? false);

/** True when a node of these kinds stands before `later`, in its graph or around it, and after `first`. */
function hasBetween(
  first: FoundNode | undefined,
  later: FoundNode,
  kinds: readonly string[],
  { orders }: EffectWorld,
): boolean {
  for (let at: FoundNode | undefined = later; at; at = at.scope.container) {
    const here: FoundNode = at;
    const order = orders.get(here.scope);
    const isBetween = (each: FoundNode) =>
      kinds.includes(each.config.kind) &&
      order?.isUpstream(each, here) &&
      (first?.scope !== here.scope || order.isUpstream(first, each));
    if (here.scope.nodes.some(isBetween)) return true;
    if (first?.scope === here.scope) return false;
  }
  return false;
}
