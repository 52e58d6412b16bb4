import type { ToolInfo } from '@pawl/api';
import type { EffectClass } from '@pawl/dag-core';
import { toolRef } from './tool-ref.ts';

/** Which tools are listed. */
export interface ToolFilters {
  /** What is in the name, the title or the description. */
  readonly search?: string | undefined;
  /** Absent: every class. */
  readonly effect?: EffectClass[] | undefined;
  /** Those of one MCP server. */
  readonly server?: string | undefined;
}

/** The tools that fit, by name. */
export function findTools(
  tools: readonly ToolInfo[],
  { search = '', effect, server }: ToolFilters,
): ToolInfo[] {
  const wanted = search.trim().toLowerCase();
  return tools
    .filter((tool) => effect === undefined || effect.includes(tool.effect))
    .filter((tool) => server === undefined || tool.mcp?.server === server)
    .filter((tool) =>
      [toolRef(tool), tool.title, tool.description].some((text) => text?.toLowerCase().includes(wanted)),
    )
    .toSorted((one, other) => (toolRef(one) < toolRef(other) ? -1 : 1));
}

/** How many tools of each class there are. */
export function countByEffect(tools: readonly ToolInfo[]): Readonly<Record<EffectClass, number>> {
  const counts = { pure: 0, idempotent: 0, non_repeatable: 0 };
  for (const { effect } of tools) counts[effect] += 1;
  return counts;
}
