import type { ToolCalls, ToolTry, ToolUser, TriedTool } from '@pawl/run-store';

/** What the routes of tools need of the store; see `EngineStore` for what holds of all. */
export interface ToolStore {
  /** A tool that nobody knows is called by nobody. */
  getToolUse(ref: { readonly workspaceId: string; readonly tool: string }): Promise<{
    readonly flows: readonly ToolUser[];
    readonly isCut: boolean;
    readonly calls: ToolCalls;
  }>;
  /** @throws `tool_not_found`, `arguments_invalid` with `issues`, `effects_undecided`, `queue_full` with `retryAfterMs` */
  tryTool(request: Omit<ToolTry, 'registered'>): Promise<TriedTool>;
}
