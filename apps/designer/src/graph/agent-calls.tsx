import type { ToolInfo } from '@pawl/api';
import { callNameOf, type EffectClass, type NodeConfig } from '@pawl/dag-core';
import { UserRound, Wrench } from 'lucide-react';
import { callsOf } from '../editor/index.ts';
import css from './agent-calls.module.css';
import { EffectBadge } from './effect-badge.tsx';

type Tools = ReadonlyMap<string, ToolInfo>;

/** What a node may do to the world at worst: its tool, or of an agent the one of its tools whose repeating does most. */
export function worstTool(node: NodeConfig, tools: Tools | undefined): ToolInfo | undefined {
  if (node.kind === 'tool') return tools?.get(node.tool);
  const called = callsOf(node).flatMap((each) => ('tool' in each ? (tools?.get(each.tool) ?? []) : []));
  return called.toSorted((one, other) => WORST.indexOf(one.effect) - WORST.indexOf(other.effect))[0];
}

const WORST: readonly EffectClass[] = ['non_repeatable', 'idempotent', 'pure'];

/** What an agent may call, inside it: as its model calls it, with what repeating it does. */
export function AgentCalls({
  node,
  tools,
}: {
  readonly node: NodeConfig;
  readonly tools: Tools | undefined;
}) {
  const rows = callsOf(node).map((each, at) => ({
    each,
    name: callNameOf(each),
    key: `${at} ${callNameOf(each)}`,
  }));
  return (
    <ul className={css.calls}>
      {rows.map(({ each, name, key }) => {
        const tool = 'tool' in each ? tools?.get(each.tool) : undefined;
        const Icon = 'tool' in each ? Wrench : UserRound;
        return (
          <li key={key} title={'tool' in each ? each.tool : name}>
            <Icon size={13} aria-hidden="true" />
            <span className={css.name}>{name}</span>
            {tool && <EffectBadge effect={tool.effect} compensates={tool.compensates} />}
          </li>
        );
      })}
    </ul>
  );
}
