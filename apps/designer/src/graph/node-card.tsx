import type { ToolInfo } from '@pawl/api';
import type { NodeConfig } from '@pawl/dag-core';
import type { TFunction } from 'i18next';
import { EffectBadge } from './effect-badge.tsx';
import { KIND_ICONS } from './kinds.tsx';
import css from './node-card.module.css';
import type { Look } from './status.ts';

/** What a node is, in a word or two: its model, its tool, its flow; of every other its kind says enough. */
function whatOf(node: NodeConfig): string | undefined {
  switch (node.kind) {
    case 'llm':
    case 'agent':
      return node.model;
    case 'tool':
      return node.tool;
    case 'flow':
      return node.flow.replace(/@[0-9a-f]{64}$/, (id) => id.slice(0, 8));
    default:
      return undefined;
  }
}

/** A node as it is drawn: what it is, what repeating it does and, in a run, how it stands. */
export function NodeCard({
  node,
  tool,
  look,
  isSkipped,
  isGiven,
  note,
  isBlock,
  t,
}: {
  readonly node: NodeConfig;
  /** Of a tool node, where the tool is registered. */
  readonly tool?: ToolInfo | undefined;
  /** How it stands. */
  readonly look?: Look | undefined;
  readonly isSkipped?: boolean | undefined;
  /** Its output was given, and nothing was called for it. */
  readonly isGiven?: boolean | undefined;
  /** The line at the bottom, instead of what the node is. */
  readonly note?: string | undefined;
  /** Nothing of it can be read. */
  readonly isBlock?: boolean | undefined;
  /** Given: there are many nodes, and each would ask for it. */
  readonly t: TFunction;
}) {
  const className = `${css.card} ${look ? css[look.tone] : ''} ${isSkipped ? css.skipped : ''} ${isGiven ? css.given : ''}`;
  if (isBlock) return <div className={className} />;
  const Icon = KIND_ICONS[node.kind];
  const said = note ?? whatOf(node);
  return (
    <div className={className}>
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
      <span className={css.what} title={said === undefined ? node.kind : undefined}>
        {said ?? t(`canvas.kinds.${node.kind}`)}
      </span>
    </div>
  );
}
