import type { FlowDocument, JournalEventType, Json, NodeConfig, RecordedEvent } from '@pawl/dag-core';
import type { Pawl } from './pawl.ts';

type WithClient = Pick<Pawl, 'client'>;

/** An event of one type. */
export type EventOf<T extends JournalEventType> = Extract<RecordedEvent, { type: T }>;

/** Waits for the first event that fits; fails when the run ends without it. */
export async function eventOf<T extends JournalEventType>(
  { client }: WithClient,
  runId: string,
  type: T,
  fits: (event: EventOf<T>) => boolean = () => true,
): Promise<EventOf<T>> {
  const seen: string[] = [];
  for await (const signal of client.runEvents(runId)) {
    if (signal.kind !== 'event') continue;
    seen.push(`${signal.event.type} ${signal.event.path}`);
    if (signal.event.type === type && fits(signal.event as EventOf<T>)) return signal.event as EventOf<T>;
  }
  throw new Error(`Run ${runId} ended without the ${type} that was waited for; it had: ${seen.join(', ')}`);
}

/** The whole journal as it is now. */
export async function journalOf({ client }: WithClient, runId: string): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (let after = 0; ; ) {
    const page = await client.readEvents({ params: { runId }, query: { after, limit: 1_000 } });
    events.push(...page.events);
    if (page.events.length === 0) return events;
    after = page.nextAfter;
  }
}

/** Publishes a flow made of these nodes, each following the one before when no edges are given, and starts it. */
export async function startFlow(
  pawl: WithClient,
  nodes: readonly NodeConfig[],
  more: Partial<FlowDocument> & { readonly start?: Json } = {},
): Promise<string> {
  const { start, ...document } = more;
  const flow = await publishFlow(pawl, nodes, document);
  const { runId } = await pawl.client.startRun({
    body: { flow, ...(start !== undefined && { input: start }) },
  });
  return runId;
}

let published = 0;

/** Publishes a flow as {@link startFlow} does and tells its name. */
export async function publishFlow(
  { client }: WithClient,
  nodes: readonly NodeConfig[],
  more: Partial<FlowDocument> = {},
): Promise<string> {
  const name = more.name ?? `flow-${++published}`;
  const edges = nodes.slice(1).map((node, i) => ({ from: nodes[i]!.id, to: node.id }));
  const document: FlowDocument = { format: 'pawl/1', edges, ...more, name, nodes };
  await client.publishFlow({ params: { flow: name }, body: document as never });
  return name;
}

/** A node that calls a tool of `ledger-tools.ts`. */
export const call = (
  id: string,
  tool: string,
  more: Partial<Extract<NodeConfig, { kind: 'tool' }>> = {},
): NodeConfig => ({
  id,
  kind: 'tool',
  tool: `ledger.${tool}@1`,
  args: { what: id },
  ...more,
});

/** Node runs of a run by path. */
export async function nodeRunsOf({ client }: WithClient, runId: string) {
  const { items } = await client.listNodeRuns({ params: { runId }, query: { limit: 1_000 } });
  return Object.fromEntries(items.map((node) => [node.path, node]));
}
