import type { Run } from '../api-types.ts';
import type { Io } from '../io.ts';
import { paintStatus } from '../output/statuses.ts';
import { cut, cutColoured, fill, oneLine } from '../output/text-width.ts';
import { count, duration, money, plural } from '../output/values.ts';
import { needsPerson, waitingWords } from '../output/waiting.ts';
import { endedRuns, expectedRuns, type NodeProgress, type RunProgress } from './run-progress.ts';

const BAR_COLUMNS = 16;

/** What is known of a run beside its journal. */
export type RunFacts = Pick<Run, 'id' | 'flow' | 'status' | 'waitingFor' | 'budget'>;

/** The picture of a run: a line for the whole, one for each drawn node, and what it waits for. Fits the terminal. */
export function progressLines(facts: RunFacts, progress: RunProgress, io: Io): string[] {
  const room = Math.max(3, io.rows() - 4);
  const columns = io.columns() - 1;
  const nodes = visibleNodes([...progress.nodes.values()], progress, room);
  const titleColumns = Math.min(44, Math.max(...nodes.map((node) => nameOf(node).length), 10));
  const hidden = progress.nodes.size - nodes.length;
  return [
    headLine(facts, progress, io),
    ...nodes.map((node) => nodeLine(node, progress, titleColumns, io)),
    ...(hidden > 0 ? [io.colours.dim(`  … ${plural(hidden, 'more node')}`)] : []),
    ...waitLines(facts, io),
  ].map((line) => cutColoured(line.trimEnd(), columns));
}

/** One line for the whole run: status, time, money, tokens, running effects. */
export function headLine(facts: RunFacts, progress: RunProgress, io: Io): string {
  const { colours } = io;
  const spent = facts.budget.spent;
  const cost = Math.max(spent.costNanoUsd, progress.costNanoUsd);
  const tokens = Math.max(spent.tokens, progress.tokens);
  const calls = [...progress.nodes.values()].reduce((sum, node) => sum + node.sent.size, 0);
  const elapsed = progress.startedAt === undefined ? 0 : io.now() - progress.startedAt;
  const parts = [
    `${colours.bold(facts.flow)} ${paintStatus(facts.status, colours)}`,
    duration(elapsed),
    ...(cost > 0 ? [money(cost)] : []),
    ...(tokens > 0 ? [plural(tokens, 'token')] : []),
    ...(calls > 0 ? [`${plural(calls, 'call')} out`] : []),
  ];
  return parts.join(colours.dim(' · '));
}

function nodeLine(node: NodeProgress, progress: RunProgress, titleColumns: number, io: Io): string {
  const { colours } = io;
  const ended = endedRuns(node);
  const expected = Math.max(expectedRuns(progress, node), ended);
  const name = fill(cut(nameOf(node), titleColumns), titleColumns);
  const isIdle = ended === 0 && node.sent.size === 0 && node.items === 0;
  const line = `${signOf(node, progress, io)} ${isIdle ? colours.dim(name) : name}`;
  return [line, barOf(node, ended, expected, io), notesOf(node, io)].filter(Boolean).join('  ');
}

function signOf(node: NodeProgress, progress: RunProgress, io: Io): string {
  const { colours } = io;
  const ended = endedRuns(node);
  if (node.held.size > 0) return colours.magenta('?');
  if (node.failed > 0) return colours.red('✗');
  if (
    ended > 0 &&
    ended >= expectedRuns(progress, node) &&
    node.sent.size === 0 &&
    !hasOpenContainer(node, progress)
  ) {
    if (node.skipped === ended) return colours.gray('–');
    return node.cancelled > 0 ? colours.gray('■') : colours.green('✓');
  }
  return node.sent.size > 0 || ended > 0 || node.items > 0 ? colours.cyan('▸') : colours.dim('·');
}

/** More items may come while a map or loop around it goes on. */
function hasOpenContainer(node: NodeProgress, progress: RunProgress): boolean {
  const container = node.container === undefined ? undefined : progress.nodes.get(node.container);
  if (!container) return false;
  return endedRuns(container) < expectedRuns(progress, container) || hasOpenContainer(container, progress);
}

/** Items for a map, turns for a loop or an agent, node runs for a node inside one; a node that runs once needs no bar. */
function barOf(node: NodeProgress, ended: number, expected: number, io: Io): string {
  const hasItems = ['map', 'loop', 'agent'].includes(node.kind);
  const [done, all] = hasItems ? [node.endedItems, node.items] : [ended, expected];
  if (all === 0 || (!hasItems && node.container === undefined)) return '';
  const filled = Math.min(BAR_COLUMNS, Math.floor((done / all) * BAR_COLUMNS));
  const bar = io.colours.green('━'.repeat(filled)) + io.colours.dim('─'.repeat(BAR_COLUMNS - filled));
  return `${bar} ${count(done)}/${count(all)}`;
}

function notesOf(node: NodeProgress, io: Io): string {
  const { colours } = io;
  return [
    ...(node.sent.size > 0 ? [colours.cyan(`${count(node.sent.size)} running`)] : []),
    ...(node.held.size > 0 ? [colours.magenta(`${count(node.held.size)} held`)] : []),
    ...(node.failed > 0 ? [colours.red(`${count(node.failed)} failed`)] : []),
    ...(node.degraded > 0 ? [colours.yellow(`${count(node.degraded)} degraded`)] : []),
    ...(node.skipped > 0 ? [colours.dim(`${count(node.skipped)} skipped`)] : []),
  ].join(', ');
}

function waitLines(facts: RunFacts, io: Io): string[] {
  const { waitingFor } = facts;
  if (!waitingFor || (!needsPerson(waitingFor) && waitingFor.kind !== 'cancel')) return [];
  return [`${io.colours.magenta('waits for')} ${waitingWords(waitingFor, io.now())}`];
}

/** When not all fit, those that are done and those that wait for their turn give way first. */
function visibleNodes(nodes: readonly NodeProgress[], progress: RunProgress, room: number): NodeProgress[] {
  if (nodes.length <= room) return [...nodes];
  const weight = (node: NodeProgress): number => {
    if (node.held.size > 0 || node.failed > 0) return 3;
    if (node.sent.size > 0) return 2;
    const ended = endedRuns(node);
    return ended > 0 && ended < expectedRuns(progress, node) ? 1 : 0;
  };
  const chosen = new Set([...nodes].sort((a, b) => weight(b) - weight(a)).slice(0, room - 1));
  return nodes.filter((node) => chosen.has(node));
}

const nameOf = (node: NodeProgress): string => `${'  '.repeat(node.depth)}${oneLine(node.title)}`;
