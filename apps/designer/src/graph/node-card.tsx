import type { ToolInfo } from '@pawl/api';
import type { NodeConfig } from '@pawl/dag-core';
import type { NodeRunMoment } from '../run/history.ts';
import { EffectBadge } from './effect-badge.tsx';
import { KIND_ICONS } from './kinds.tsx';
import css from './node-card.module.css';
import { NODE_RUN_LOOKS } from './status.ts';

/** Size of a card, in pixels. */
export const CARD = { width: 212, height: 64 } as const;

/** What a node is, in a word or two: its model, its tool, its flow. */
function whatOf(node: NodeConfig): string {
  switch (node.kind) {
    case 'llm':
    case 'agent':
      return node.model;
    case 'tool':
      return node.tool;
    case 'flow':
      return node.flow.replace(/@[0-9a-f]{64}$/, (id) => id.slice(0, 8));
    default:
      return node.kind;
  }
}

/** A node as it is drawn: what it is, what repeating it does and, in a run, how it stands. */
export function NodeCard({
  node,
  tool,
  moment,
  note,
}: {
  readonly node: NodeConfig;
  /** Of a tool node, where the tool is registered. */
  readonly tool?: ToolInfo | undefined;
  readonly moment?: NodeRunMoment | undefined;
  /** The line at the bottom, instead of what the node is. */
  readonly note?: string | undefined;
}) {
  const Icon = KIND_ICONS[node.kind];
  const look = moment && NODE_RUN_LOOKS[moment.status];
  return (
    <div
      className={`${css.card} ${look ? css[look.tone] : ''} ${moment?.status === 'skipped' ? css.skipped : ''} ${moment?.given ? css.given : ''}`}
    >
      <span className={css.icon}>
        <Icon size={15} strokeWidth={1.8} aria-hidden="true" />
      </span>
      <span className={css.title}>{node.title ?? node.id}</span>
      {tool && <EffectBadge effect={tool.effect} compensates={tool.compensates} />}
      {look && (
        <span className={css.sign} aria-hidden="true">
          {look.sign}
        </span>
      )}
      <span className={css.what}>{note ?? whatOf(node)}</span>
    </div>
  );
}
