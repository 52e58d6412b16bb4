import { EFFECT_CLASSES, type EffectClass, RUN_STATUSES, type RunStatus } from '@pawl/dag-core';
import { INBOX_KINDS, type InboxKindWord } from '../inbox/question.ts';
import { WAIT_WORDS, type WaitWord } from '../runs/wait-words.ts';
import type { ToolFilters } from '../tools/find-tools.ts';

// What screens keep in their addresses; what cannot be read is left out, because people edit addresses.

type Search = Readonly<Record<string, unknown>>;

/** Which runs are listed. */
export interface RunFilters {
  readonly status?: RunStatus[] | undefined;
  readonly flow?: string | undefined;
  /** Only test runs, or none of them. */
  readonly mode?: 'live' | 'test' | undefined;
  readonly waitingFor?: WaitWord | undefined;
  /** A version id. */
  readonly version?: string | undefined;
  /** ISO 8601: started after and before. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** `<key>:<value>`. */
  readonly tag?: string | undefined;
  /** In US dollars. */
  readonly costAbove?: number | undefined;
  /** Id of a node of which a node run failed. */
  readonly failedNode?: string | undefined;
}

const isInstant = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value));
/** Names of nodes and tags may look like numbers or truth values to the reader of addresses. */
const textOf = (value: unknown): string =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';

export function readRunFilters(search: Search): RunFilters {
  const { status, flow, mode, waitingFor, from, to, costAbove } = search;
  const [version, tag, failedNode] = [search.version, search.tag, search.failedNode].map(textOf);
  const words = (Array.isArray(status) ? status : [status]).filter((word): word is RunStatus =>
    (RUN_STATUSES as readonly unknown[]).includes(word),
  );
  return {
    ...(words.length > 0 && { status: words }),
    ...(typeof flow === 'string' && flow && { flow }),
    ...((mode === 'live' || mode === 'test') && { mode }),
    ...(WAIT_WORDS.some((word) => word === waitingFor) && { waitingFor: waitingFor as WaitWord }),
    ...(/^[0-9a-f]{64}$/.test(version!) && { version }),
    ...(isInstant(from) && { from }),
    ...(isInstant(to) && { to }),
    ...(/^[^:\u0000]+:[^\u0000]*$/.test(tag!) && { tag }),
    ...(typeof costAbove === 'number' && costAbove >= 0 && { costAbove }),
    ...(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(failedNode!) && { failedNode }),
  };
}

/** Which flows are listed: those with this text in their name or title. */
export interface FlowFilters {
  readonly search?: string | undefined;
}

export const readFlowFilters = ({ search }: Search): FlowFilters =>
  typeof search === 'string' && search ? { search } : {};

/** How a draft is shown (absent: as a list where the screen is narrow), and which sub-flow is looked into: ids of nodes, by slashes. */
export interface CanvasView {
  readonly view?: 'canvas' | 'list' | undefined;
  readonly into?: string | undefined;
}

export const readCanvasView = ({ view, into }: Search): CanvasView => ({
  ...((view === 'canvas' || view === 'list') && { view }),
  ...(typeof into === 'string' && into && { into }),
});

/** Which version is looked at (absent: the draft), and with which it is compared: `draft` or the id of one. */
export interface VersionView {
  readonly version?: string | undefined;
  readonly against?: string | undefined;
}

export function readVersionView({ version, against }: Search): VersionView {
  return {
    ...(typeof version === 'string' && version && { version }),
    ...(typeof against === 'string' && against && { against }),
  };
}

/**
 * What of a run is looked at: the way of a node run; the moment, by an event (absent: now) and how many milliseconds after it; and which
 * sub-flows are open in the graph: ids of nodes as they are drawn, by commas, those that are closed with a `-` before them.
 */
export interface RunViewAt {
  readonly select?: string | undefined;
  readonly at?: number | undefined;
  readonly after?: number | undefined;
  readonly open?: string | undefined;
}

export function readRunView({ select, at, after, open }: Search): RunViewAt {
  const isCount = (value: unknown) => typeof value === 'number' && Number.isInteger(value) && value > 0;
  return {
    ...(typeof select === 'string' && { select }),
    ...(isCount(at) && { at: at as number }),
    ...(isCount(at) && isCount(after) && { after: after as number }),
    ...(textOf(open) !== '' && { open: textOf(open) }),
  };
}

/** What of the inbox is listed, and which question is open. */
export interface InboxView {
  readonly kind?: InboxKindWord[] | undefined;
  readonly flow?: string | undefined;
  /** Only what is not for others. */
  readonly who?: 'mine' | undefined;
  readonly question?: string | undefined;
}

export function readInboxView({ kind, flow, who, question }: Search): InboxView {
  const words = (Array.isArray(kind) ? kind : [kind]).filter((word): word is InboxKindWord =>
    (INBOX_KINDS as readonly unknown[]).includes(word),
  );
  return {
    ...(words.length > 0 && { kind: words }),
    ...(typeof flow === 'string' && flow && { flow }),
    ...(who === 'mine' && { who }),
    ...(typeof question === 'string' && question && { question }),
  };
}

/** Which runs are compared, and what of it is looked at. */
export interface ComparisonView {
  readonly left?: string | undefined;
  readonly right?: string | undefined;
  /** Path of a node run, in the words of the left run. */
  readonly select?: string | undefined;
  /** `all`: also what is the same inside maps, loops and agents. */
  readonly show?: 'all' | undefined;
  /** How values are compared: as a list of changes (absent), or side by side. */
  readonly values?: 'sides' | undefined;
}

export function readComparisonView({ left, right, select, show, values }: Search): ComparisonView {
  const text = (name: 'left' | 'right' | 'select', value: unknown) =>
    typeof value === 'string' && value !== '' && { [name]: value };
  return {
    ...text('left', left),
    ...text('right', right),
    ...text('select', select),
    ...(show === 'all' && { show }),
    ...(values === 'sides' && { values }),
  };
}

export function readToolFilters({ search, effect, server }: Search): ToolFilters {
  const words = (Array.isArray(effect) ? effect : [effect]).filter((word): word is EffectClass =>
    (EFFECT_CLASSES as readonly unknown[]).includes(word),
  );
  return {
    ...(typeof search === 'string' && search && { search }),
    ...(words.length > 0 && { effect: words }),
    ...(typeof server === 'string' && server && { server }),
  };
}
