import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FlowDocument, Json, NodeConfig, RunStatus } from '@pawl/dag-core';
import { parse } from 'yaml';
import { editor } from './nightly-report.ts';
import type { SoakSystem } from './system.ts';

const REPOSITORY = join(import.meta.dirname, '../..');

/** A flow that the soak starts, and what its runs are started with. */
export interface SoakFlow {
  readonly document: FlowDocument;
  /** How often it is started, next to the others. */
  readonly weight: number;
  /** How its runs may end; besides, any may be cancelled. */
  readonly ends: readonly RunStatus[];
  input(random: () => number): Json;
  /** The key of a start, where it is not any: what is started twice under one is one run. */
  key?(input: Json): string;
  /** What somebody outside does about a run that was started. */
  meanwhile?(input: Json, system: SoakSystem): Promise<void>;
  /** What does not hold about a run that has ended, as sentences. */
  broken?(run: SoakRun, system: SoakSystem): Promise<string[]> | string[];
}

/** A run of the soak that has ended. */
export interface SoakRun {
  readonly id: string;
  readonly status: RunStatus;
  readonly input: Json;
}

const call = (id: string, tool: string, more: object = {}): NodeConfig =>
  ({ id, kind: 'tool', tool: `ledger.${tool}@1`, ...more }) as NodeConfig;

const chained = (
  name: string,
  nodes: readonly NodeConfig[],
  more: Partial<FlowDocument> = {},
): FlowDocument => ({
  format: 'pawl/1',
  name,
  ...more,
  nodes,
  edges: nodes.slice(1).map((node, i) => ({ from: nodes[i]!.id, to: node.id })),
});

const each = (id: string, nodes: readonly NodeConfig[], more: object = {}): NodeConfig =>
  ({
    id,
    kind: 'map',
    over: '{{ [1, 2, 3, 4] }}',
    concurrency: 2,
    body: { nodes, edges: [] },
    ...more,
  }) as NodeConfig;

/** Every kind and every effect class, in flows small enough to be run thousands of times; and the examples. */
export async function soakFlows(): Promise<SoakFlow[]> {
  const number = (random: () => number): Json => ({ n: Math.floor(random() * 1_000) });
  const own: FlowDocument[] = [
    chained('mixed', [
      { id: 'begin', kind: 'transform', value: { n: '{{ input.n }}' } },
      call('read', 'pure'),
      call('put', 'put'),
      call('charge', 'charge', { args: { what: '{{ nodes.put.output.nonce }}' } }),
      { id: 'say', kind: 'llm', model: 'sim:writer', prompt: 'Say: {{ nodes.charge.output }}' } as NodeConfig,
      each('each', [call('item_put', 'put', { args: { what: '{{ item }}' } })]),
    ]),
    chained(
      'saga',
      [
        call('hold', 'reserve'),
        each('parts', [call('part', 'reserve')]),
        call('pay', 'pay'),
        call('ship', 'fail', { args: { error: 'permanent' } }),
      ],
      { onFailure: 'compensate' },
    ),
    chained('patient', [
      call('first', 'put'),
      { id: 'while', kind: 'wait', for: 'PT1S' } as NodeConfig,
      {
        id: 'again',
        kind: 'loop',
        until: 'index >= 2',
        body: { nodes: [call('turn', 'put')], edges: [] },
      } as unknown as NodeConfig,
      { id: 'ask', kind: 'approval', subject: 'May {{ input.n }} go on?' } as unknown as NodeConfig,
      call('last', 'charge'),
    ]),
  ];
  return [
    ...own.map(
      (document): SoakFlow => ({
        document,
        weight: 30,
        ends: [document.onFailure === 'compensate' ? 'failed' : 'succeeded'],
        input: number,
        broken: brokenBy[document.name],
      }),
    ),
    ...(await Promise.all(Object.entries(EXAMPLES).map(([name, how]) => example(name, how)))),
  ];
}

/** How often an effect of a run happened. */
const happened = ({ ledger }: SoakSystem, { id }: SoakRun, op: string): number =>
  ledger.of({ op, key: `${id}:` }).filter((row) => row.isApplied).length;

/** What must hold for the runs of the soak's own flows. */
const brokenBy: Readonly<Record<string, NonNullable<SoakFlow['broken']>>> = {
  mixed(run, system) {
    const charges = happened(system, run, 'charge');
    const isWrong = run.status === 'succeeded' && charges !== 1;
    return isWrong ? [`I3 run ${run.id} succeeded and was charged ${charges} times`] : [];
  },
  saga(run, system) {
    const of = (op: string) => happened(system, run, op);
    const isUndone = of('put') === of('unput') && of('charge') === of('refund');
    if (run.status !== 'failed' || isUndone) return [];
    const goods = `${of('put')} put and ${of('unput')} taken back`;
    return [`I11 run ${run.id}: ${goods}, ${of('charge')} charged and ${of('refund')} refunded`];
  },
};

/** The examples in the soak, each after those it runs; they are larger than its own flows, so fewer are started. */
export const EXAMPLES: Readonly<Record<string, Omit<SoakFlow, 'document' | 'input'> & Partial<SoakFlow>>> = {
  'release-notes': { weight: 4, ends: ['succeeded'] },
  'document-digest': { weight: 1, ends: ['succeeded'] },
  // Its coupon service has nothing to say about some shops.
  'shop-recommendation': { weight: 8, ends: ['succeeded', 'partial'] },
  // After the first refund of its ticket the bank refuses, and the agent is told.
  'support-agent': { weight: 8, ends: ['succeeded'] },
  // After the first run its cart is empty.
  checkout: { weight: 8, ends: ['succeeded', 'partial', 'failed'] },
  'nightly-report': { weight: 6, ends: ['succeeded'], ...editor() },
};

async function example(name: string, how: (typeof EXAMPLES)[string]): Promise<SoakFlow> {
  const folder = join(REPOSITORY, 'examples', name);
  const document = parse(await readFile(join(folder, 'flow.yaml'), 'utf8')) as FlowDocument;
  const input = JSON.parse(await readFile(join(folder, 'input.json'), 'utf8')) as Json;
  return { document, input: () => input, ...how };
}
