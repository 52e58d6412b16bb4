import { bodyOf, type FlowDocument, type NodeConfig, type RecordedEvent } from '@pawl/dag-core';

/** How far one drawn node has come, over all its node runs. */
export interface NodeProgress {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  /** 0 for nodes of the flow itself, 1 inside a map or loop, and so on. */
  readonly depth: number;
  /** Id of the map or loop around it. */
  readonly container?: string;
  succeeded: number;
  degraded: number;
  failed: number;
  skipped: number;
  cancelled: number;
  /** Items that this map made, or turns that this loop began, over all its node runs. */
  items: number;
  /** Those of them that ended, in whatever way. */
  endedItems: number;
  /** Paths with a sent effect that is not answered yet. */
  readonly sent: Set<string>;
  /** Paths that wait for a person, for budget or for a retry. */
  readonly held: Set<string>;
}

/** What a journal tells about the progress of a run, kept up to date event by event. */
export interface RunProgress {
  /** In the order of the document, the body of a node below it. */
  readonly nodes: ReadonlyMap<string, NodeProgress>;
  costNanoUsd: number;
  tokens: number;
  modelCalls: number;
  startedAt: number | undefined;
  lastAt: number;
}

/** No event seen yet. */
export function newProgress(document: FlowDocument): RunProgress {
  const nodes = new Map<string, NodeProgress>();
  addNodes(document.nodes, 0, undefined);
  return { nodes, costNanoUsd: 0, tokens: 0, modelCalls: 0, startedAt: undefined, lastAt: 0 };

  function addNodes(drawn: readonly NodeConfig[], depth: number, container: string | undefined): void {
    for (const node of drawn) {
      nodes.set(node.id, { ...emptyNode(node, depth), ...(container === undefined ? {} : { container }) });
      addNodes(bodyOf(node)?.nodes ?? [], depth + 1, node.id);
    }
  }
}

function emptyNode(node: NodeConfig, depth: number): NodeProgress {
  return {
    id: node.id,
    title: node.title ?? node.id,
    kind: node.kind,
    depth,
    succeeded: 0,
    degraded: 0,
    failed: 0,
    skipped: 0,
    cancelled: 0,
    items: 0,
    endedItems: 0,
    sent: new Set(),
    held: new Set(),
  };
}

/** Node runs that are to be expected as far as is known: one, or one for each item or turn of what is around it. */
export function expectedRuns(progress: RunProgress, node: NodeProgress): number {
  const container = node.container === undefined ? undefined : progress.nodes.get(node.container);
  return container ? container.items : 1;
}

/** Node runs that ended, in whatever way. */
export const endedRuns = (node: NodeProgress): number =>
  node.succeeded + node.degraded + node.failed + node.skipped + node.cancelled;

/** Takes one event in. Events come in order and once each. */
export function applyEvent(progress: RunProgress, event: RecordedEvent): void {
  progress.startedAt ??= event.at;
  progress.lastAt = event.at;
  const { node, is } = placeOf(progress, event.path);
  if (!node) return;
  if (is === 'item') {
    if (ENDS.has(event.type)) node.endedItems++;
    return;
  }
  if (is === 'part') {
    applyPart(progress, node, event);
    return;
  }
  // Whatever happens to a held node run shows that it goes on; only a late outcome changes nothing.
  if (event.type !== 'outcome.late') node.held.delete(event.path);
  switch (event.type) {
    case 'intent.recorded':
      node.sent.add(event.path);
      break;
    case 'call.answered':
      addSpend(progress, event.data.answer);
      break;
    case 'outcome.succeeded':
      node.sent.delete(event.path);
      addSpend(progress, event.data.answer);
      if (event.data.degraded) node.degraded++;
      else node.succeeded++;
      break;
    case 'outcome.failed':
      node.sent.delete(event.path);
      addSpend(progress, event.data.answer);
      applyFailure(node, event);
      break;
    case 'attempt.lost':
      node.sent.delete(event.path);
      break;
    case 'nodeRun.skipped':
      node.skipped++;
      break;
    case 'nodeRun.cancelled':
      node.sent.delete(event.path);
      node.cancelled++;
      break;
    case 'nodeRun.waiting':
      node.held.add(event.path);
      break;
    case 'map.expanded':
      node.items += event.data.count;
      break;
    case 'loop.continued':
    case 'agent.continued':
      node.items++;
      break;
    case 'run.admitted':
    case 'run.statusChanged':
    case 'run.budgetChanged':
    case 'run.cancelRequested':
    case 'nodeRun.resumed':
    case 'outcome.late':
    case 'artifact.created':
      break;
  }
}

type Failed = Extract<RecordedEvent, { type: 'outcome.failed' }>;

function applyFailure(node: NodeProgress, { path, data }: Failed): void {
  switch (data.next) {
    case 'retry':
    case 'pause':
      node.held.add(path);
      break;
    case 'fallback':
      node.degraded++;
      break;
    case 'continue':
    case 'stop':
    case 'tell':
      node.failed++;
      break;
  }
}

function addSpend(
  progress: RunProgress,
  answer: { costNanoUsd: number; usage: { input: number; output: number } } | undefined,
): void {
  if (!answer) return;
  progress.costNanoUsd += answer.costNanoUsd;
  progress.tokens += answer.usage.input + answer.usage.output;
  progress.modelCalls++;
}

/** A model call or a tool call of an agent: it is under way, is held and costs, but is no end of the agent. */
function applyPart(progress: RunProgress, node: NodeProgress, { type, path, data }: RecordedEvent): void {
  if (type !== 'outcome.late') node.held.delete(path);
  if (type === 'intent.recorded') node.sent.add(path);
  if (ENDS.has(type) || type === 'attempt.lost') node.sent.delete(path);
  if (type === 'nodeRun.waiting' || type === 'inbox.asked') node.held.add(path);
  if (type === 'outcome.failed' && (data.next === 'retry' || data.next === 'pause')) node.held.add(path);
  if (type !== 'outcome.late' && 'answer' in data) addSpend(progress, data.answer);
}

/** The drawn node that a path is about: itself, an item of a map or a turn of a loop or agent, or a part of an agent's turn. */
function placeOf(
  progress: RunProgress,
  path: string,
): { readonly node: NodeProgress | undefined; readonly is: 'self' | 'item' | 'part' } {
  const parts = path.split('/');
  const agentAt = parts.findIndex((part) => progress.nodes.get(part)?.kind === 'agent');
  if (agentAt >= 0) {
    const below = parts.length - 1 - agentAt;
    const is = below === 0 ? 'self' : below === 1 ? 'item' : 'part';
    return { node: progress.nodes.get(parts[agentAt]!), is };
  }
  const node = progress.nodes.get(nodeIdOf(path));
  return { node, is: /\/\d+$/.test(path) ? 'item' : 'self' };
}

const ENDS = new Set<RecordedEvent['type']>([
  'outcome.succeeded',
  'outcome.failed',
  'nodeRun.skipped',
  'nodeRun.cancelled',
]);

/** `each/3/score` → `score`: the last part that is no item number. Node ids are unique in a document. */
const nodeIdOf = (path: string): string => path.split('/').findLast((part) => !/^\d+$/.test(part)) ?? '';
