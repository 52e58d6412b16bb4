import type { ELK } from 'elkjs/lib/elk-api.js';

/** What is laid out: boxes with their sizes in pixels, and what leads from where to where. */
export interface Boxes {
  readonly boxes: readonly { readonly id: string; readonly width: number; readonly height: number }[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

/** Upper left corners, in pixels. */
export type Positions = Readonly<Record<string, { readonly x: number; readonly y: number }>>;

let engine: Promise<ELK> | undefined;

/** Places boxes from left to right, in a worker that is loaded with the first call. */
export async function layOut({ boxes, edges }: Boxes): Promise<Positions> {
  engine ??= load();
  const laidOut = await (await engine).layout({
    id: 'root',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': 'RIGHT',
      'elk.spacing.nodeNode': '32',
      'elk.layered.spacing.nodeNodeBetweenLayers': '64',
      'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
      'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
    },
    children: boxes.map((box) => ({ ...box })),
    edges: edges.map(({ from, to }, index) => ({ id: String(index), sources: [from], targets: [to] })),
  });
  return Object.fromEntries((laidOut.children ?? []).map(({ id, x = 0, y = 0 }) => [id, { x, y }]));
}

async function load(): Promise<ELK> {
  const [{ default: Elk }, { default: workerUrl }] = await Promise.all([
    import('elkjs/lib/elk-api.js'),
    import('elkjs/lib/elk-worker.min.js?url'),
  ]);
  return new Elk({ workerFactory: () => new Worker(workerUrl) });
}
