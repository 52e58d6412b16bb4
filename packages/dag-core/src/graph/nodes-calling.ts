interface Drawn {
  readonly id?: unknown;
  readonly kind?: unknown;
  readonly tool?: unknown;
  readonly tools?: unknown;
  readonly body?: unknown;
}

/**
 * The ids of the nodes that may call a tool, inner graphs included; of a document that nobody has checked yet.
 *
 * @param tool `<name>@<version>`
 */
export function nodesCalling(document: unknown, tool: string): string[] {
  const found: string[] = [];
  const open: unknown[] = [document];
  for (let graph = open.shift(); graph !== undefined; graph = open.shift()) {
    const { nodes } = (graph ?? {}) as { nodes?: unknown };
    if (!Array.isArray(nodes)) continue;
    for (const node of nodes as (Drawn | null)[]) {
      if (typeof node !== 'object' || node === null) continue;
      if (node.body !== undefined) open.push(node.body);
      if (typeof node.id === 'string' && mayCall(node, tool)) found.push(node.id);
    }
  }
  return found;
}

function mayCall({ kind, tool: own, tools }: Drawn, tool: string): boolean {
  if (kind === 'tool') return own === tool;
  return (
    kind === 'agent' && Array.isArray(tools) && tools.some((each) => (each as Drawn | null)?.tool === tool)
  );
}
