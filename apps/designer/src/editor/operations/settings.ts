import type { EdgeConfig, FlowDocument, Json, NodeConfig } from '@pawl/dag-core';
import { changeGraph, type GraphPath, graphAt, isSameEdge, nodesById } from '../document/graph.ts';
import { isMembers, pointerParts, withMember, withoutMember } from '../document/json-path.ts';
import { knownPorts } from '../document/node-size.ts';
import { shareWith } from '../document/patch.ts';
import type { SetFlowSetting, SetSetting } from './operation.ts';
import { type Changed, isRefused, type Refusal, refuse } from './refusal.ts';

const NO_SETTING_OF_A_NODE = /^\/(?:id|kind|body)(?:\/|$)|^$/;
const NO_SETTING_OF_A_FLOW = /^\/(?:format|nodes|edges|layout)(?:\/|$)|^$/;

/** Sets one setting of a node. Its edges follow what becomes of its ports. */
export function setSetting(
  document: FlowDocument,
  { graph, id, pointer, value }: SetSetting,
): Changed<FlowDocument> {
  if (NO_SETTING_OF_A_NODE.test(pointer)) return refuse({ code: 'setting_fixed', pointer });
  const found = graphAt(document, graph);
  if (!found) return refuse({ code: 'graph_unknown', graph });
  const node = nodesById(found).get(id);
  if (!node) return refuse({ code: 'node_unknown', node: id, graph });
  const changed = setAt(node, pointerParts(pointer), value, pointer);
  if (isRefused(changed)) return changed;
  if (changed === node) return document;
  const refused = checkCases(node, changed);
  if (refused) return refuse(refused);
  const set = changeGraph(document, graph, (old) => ({
    ...old,
    nodes: old.nodes.map((each) => (each === node ? changed : each)),
  }));
  return followPorts(set, graph, node, changed);
}

/** Sets one setting of the flow itself. */
export function setFlowSetting(
  document: FlowDocument,
  { pointer, value }: SetFlowSetting,
): Changed<FlowDocument> {
  if (NO_SETTING_OF_A_FLOW.test(pointer)) return refuse({ code: 'setting_fixed', pointer });
  return setAt(document, pointerParts(pointer), value, pointer);
}

/** Sets a value; members on the way are made, and none is left behind empty when one is taken out. */
function setAt<T>(target: T, path: readonly string[], value: Json | undefined, pointer: string): Changed<T> {
  const [key, ...rest] = path as [string, ...string[]];
  const unreachable = refuse({ code: 'setting_unreachable', pointer });
  if (Array.isArray(target)) {
    const at = key === '-' ? target.length : Number(key);
    if (!/^(?:-|0|[1-9]\d*)$/.test(key) || at > target.length) return unreachable;
    if (rest.length === 0 && value === undefined) return target.toSpliced(at, 1) as T;
    const item =
      rest.length === 0 ? shareWith(target[at], value) : setAt(target[at] ?? {}, rest, value, pointer);
    if (isMembers(item) && isRefused(item)) return item;
    return item === target[at] ? target : (target.toSpliced(at, 1, item) as T);
  }
  if (!isMembers(target)) return unreachable;
  const isThere = Object.hasOwn(target, key);
  const old = isThere ? target[key] : undefined;
  if (value === undefined && !isThere) return target as T;
  const inner = rest.length === 0 ? shareWith(old, value) : setAt(isThere ? old : {}, rest, value, pointer);
  if (isMembers(inner) && isRefused(inner)) return inner;
  if (inner === undefined) return withoutMember(target, key) as T;
  if (inner === old) return target as T;
  return (isThere ? { ...target, [key]: inner } : withMember(target, key, inner)) as T;
}

/** Two cases of one name would share their edges, which nobody could tell apart afterwards. */
function checkCases(before: NodeConfig, after: NodeConfig): Refusal | undefined {
  const [had, has] = [caseNames(before), caseNames(after)];
  for (const port of has) {
    if (isTwice(has, port) && !isTwice(had, port)) return { code: 'port_duplicate', node: after.id, port };
    if (['default', 'error'].includes(port) && !had.includes(port))
      return { code: 'port_reserved', node: after.id, port };
  }
  return undefined;
}

function caseNames(node: NodeConfig): string[] {
  if (node.kind !== 'switch' || !Array.isArray(node.cases)) return [];
  return node.cases.flatMap((each: unknown) =>
    isMembers(each) && typeof each.port === 'string' ? [each.port] : [],
  );
}

const isTwice = (names: readonly string[], name: string): boolean =>
  names.indexOf(name) !== names.lastIndexOf(name);

/** Edges of a port that was renamed follow it; those of one that is gone are gone (an undo brings them back). */
function followPorts(
  document: FlowDocument,
  graph: GraphPath,
  before: NodeConfig,
  after: NodeConfig,
): FlowDocument {
  const [had, has] = [knownPorts(before), knownPorts(after)];
  if (!had || !has) return document;
  const lost = had.filter((port) => !has.includes(port));
  const won = has.filter((port) => !had.includes(port));
  if (lost.length === 0) return document;
  const [port] = lost.length === 1 && won.length === 1 ? won : [];
  const isLost = (edge: EdgeConfig) => edge?.from === after.id && lost.includes(edge.port ?? '');
  return changeGraph(document, graph, (old) => {
    if (!old.edges.some(isLost)) return old;
    const edges = old.edges.flatMap((edge) => {
      if (!isLost(edge)) return [edge];
      return port === undefined ? [] : [{ ...edge, port }];
    });
    return {
      ...old,
      edges: edges.filter((edge, at) => edges.findIndex((each) => isSame(each, edge)) === at),
    };
  });
}

const isSame = (one: EdgeConfig, other: EdgeConfig): boolean =>
  one === other || (one?.from !== undefined && isSameEdge(one, other));
