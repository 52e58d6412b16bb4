import type { KindName, NodeConfig } from '../graph/document.ts';
import { agent } from './agent.ts';
import { approval } from './approval.ts';
import { code } from './code.ts';
import { emit } from './emit.ts';
import { flow } from './flow.ts';
import { join } from './join.ts';
import { type ConfigOf, ERROR_PORT, type Kind } from './kind.ts';
import { llm } from './llm.ts';
import { loop } from './loop.ts';
import { map } from './map.ts';
import { switchKind } from './switch.ts';
import { tool } from './tool.ts';
import { transform } from './transform.ts';
import { wait } from './wait.ts';

export { DEFAULT_AGENT_TURNS, MAX_CALLS_PER_TURN } from './agent.ts';
export {
  DEFAULT_PORT,
  ERROR_PORT,
  type Kind,
  type KindEffect,
  NORMAL_PORT,
  REJECTED_PORT,
  type TemplateField,
  TIMEOUT_PORT,
} from './kind.ts';
export { DEFAULT_LOOP_TURNS, MAX_LOOP_TURNS } from './loop.ts';
export { MAX_MAP_ITEMS } from './map.ts';

/** Every kind by its name: a new kind is one file and one line here. */
export const kinds = {
  llm,
  tool,
  switch: switchKind,
  transform,
  code,
  map,
  join,
  agent,
  loop,
  flow,
  approval,
  wait,
  emit,
} satisfies { [K in KindName]: Kind<ConfigOf<K>> };

/** Names of all kinds, available or not. */
export const KIND_NAMES = Object.keys(kinds) as readonly KindName[];

/** True for the name of a kind. */
export const isKindName = (name: string): name is KindName => Object.hasOwn(kinds, name);

/** The kind of a node. */
export const kindOf = (config: NodeConfig): Kind => kinds[config.kind] as unknown as Kind;

/** All ports a node has, the error port included where `onError` continues (K4). The normal port is ''. */
export function portsOf(config: NodeConfig): readonly string[] {
  const ports = kindOf(config).ports(config);
  return config.onError?.do === 'continue' ? [...ports, ERROR_PORT] : ports;
}
