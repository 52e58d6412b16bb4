import type { ELK, ElkNode } from 'elkjs/lib/elk-api.js';
import type { LayoutNode } from '../editor/index.ts';

let engine: Promise<ELK> | undefined;

/** Places a graph from left to right, in a worker that is loaded with the first call. */
export async function layOut(input: LayoutNode): Promise<LayoutNode> {
  engine ??= load();
  return (await (await engine).layout(input as ElkNode)) as LayoutNode;
}

async function load(): Promise<ELK> {
  const [{ default: Elk }, { default: workerUrl }] = await Promise.all([
    import('elkjs/lib/elk-api.js'),
    import('elkjs/lib/elk-worker.min.js?url'),
  ]);
  return new Elk({ workerFactory: () => new Worker(workerUrl) });
}
