import { ToolDuplicateError, ToolUnknownError } from './errors.ts';
import type { Tool, ToolDeclaration } from './tool.ts';

/** The tools that a host offers, by reference. */
export class ToolRegistry {
  readonly #tools = new Map<string, Tool>();
  /** References by the source that they come and go with. */
  readonly #sources = new Map<string, readonly string[]>();

  /** @throws {ToolDuplicateError} when two tools have the same reference */
  constructor(tools: Iterable<Tool> = []) {
    for (const tool of tools) this.add(tool);
  }

  /** @throws {ToolDuplicateError} when another tool has the same reference; adding the same tool again is harmless */
  add(tool: Tool): void {
    const known = this.#tools.get(tool.ref);
    if (known !== undefined && known !== tool) throw new ToolDuplicateError(tool.ref, []);
    this.#tools.set(tool.ref, tool);
  }

  /**
   * Sets the tools of a source that come and go: what it offered before and does not now is gone.
   *
   * @throws {ToolDuplicateError} when two of them, or one of them and a tool from elsewhere, have the same reference; nothing is
   *   changed then
   */
  replace(source: string, tools: readonly Tool[]): void {
    const before = this.#sources.get(source) ?? [];
    const refs = new Set<string>();
    for (const { ref } of tools) {
      if (refs.has(ref) || (this.#tools.has(ref) && !before.includes(ref)))
        throw new ToolDuplicateError(ref, []);
      refs.add(ref);
    }
    for (const ref of before) this.#tools.delete(ref);
    for (const tool of tools) this.#tools.set(tool.ref, tool);
    this.#sources.set(source, [...refs]);
  }

  get(ref: string): Tool | undefined {
    return this.#tools.get(ref);
  }

  /** @throws {ToolUnknownError} with the nearest known reference */
  require(ref: string): Tool {
    const tool = this.#tools.get(ref);
    if (tool === undefined) throw new ToolUnknownError(ref, this.nearest(ref));
    return tool;
  }

  /** All tools, by reference in code-unit order. */
  list(): Tool[] {
    return [...this.#tools.values()].sort((a, b) => (a.ref < b.ref ? -1 : 1));
  }

  /** The data of all tools, in the same order. */
  declarations(): ToolDeclaration[] {
    return this.list().map((tool) => tool.declaration());
  }

  /** The known reference that looks most like `ref`, if any is near enough to be a slip. */
  nearest(ref: string): string | undefined {
    const name = ref.split('@')[0] ?? ref;
    const ranked = this.list()
      .map((tool) => ({
        ref: tool.ref,
        distance: Math.min(editDistance(ref, tool.ref), editDistance(name, tool.name)),
      }))
      .sort((a, b) => a.distance - b.distance);
    const best = ranked[0];
    return best !== undefined && best.distance <= Math.max(2, ref.length / 4) ? best.ref : undefined;
  }
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substitution = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, previous[column]! + 1, current[column - 1]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
}
