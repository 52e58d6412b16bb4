// Rules kept here: L3 in no window of its length does a limit grant more than it says, nor more calls at once; L4 who is told when
// to come again is granted then, unless others came first; L5 a call that is larger than the whole limit counts as the whole.
//
// A sliding window: what was granted counts until it is a window old. Grants that are close together are counted as one slot, by
// the last of them, so the state stays small and errs towards too few.

/** How much may be called. Absent members do not limit. */
export interface CallLimit {
  /** Calls under way at once. */
  readonly concurrency?: number;
  /** Calls in a window. */
  readonly requests?: number;
  /** Tokens in a window. */
  readonly tokens?: number;
  /** Length of the window of `requests` and `tokens`. */
  readonly windowMs: number;
}

/** Grants that count as one: the instant of the first and the last, epoch milliseconds. */
export interface UsedSlot {
  readonly from: number;
  readonly last: number;
  readonly requests: number;
  readonly tokens: number;
}

/** What of a limit is used. */
export interface LimitUse {
  /** In order. */
  readonly slots: readonly UsedSlot[];
  /** Calls under way. */
  readonly underWay: number;
  /** Nobody calls until then, epoch milliseconds. */
  readonly pausedUntilMs?: number | undefined;
}

/** A call that is about to be made, with the tokens it takes at most. */
export interface CallAsk {
  readonly tokens: number;
}

/** `until`: when to come again, epoch milliseconds; absent: when a call under way has ended. */
export type LimitAnswer =
  | { readonly isGranted: true; readonly use: LimitUse }
  | { readonly isGranted: false; readonly until?: number };

/** Into how many slots a window is cut; a grant counts for up to this share of a window too long. */
const SLOTS = 20;

/** Decides about one call, on the database's clock. */
export function askLimit(limit: CallLimit, use: LimitUse, ask: CallAsk, nowMs: number): LimitAnswer {
  const slots = slotsInForce(limit, use.slots, nowMs);
  const at = Math.max(whenItFits(limit, slots, ask, nowMs), use.pausedUntilMs ?? 0);
  if (at > nowMs) return { isGranted: false, until: at };
  if (limit.concurrency !== undefined && use.underWay >= limit.concurrency) return { isGranted: false };
  const granted = { requests: 1, tokens: counted(limit, ask) };
  return {
    isGranted: true,
    use: { ...use, slots: added(limit, slots, granted, nowMs), underWay: use.underWay + 1 },
  };
}

/** Grants the first of a line as far as they fit; who comes behind one that does not fit waits with it. */
export function serveLine(
  limit: CallLimit,
  use: LimitUse,
  line: readonly CallAsk[],
  nowMs: number,
): { readonly granted: number; readonly use: LimitUse; readonly until?: number } {
  let now = use;
  for (const [place, ask] of line.entries()) {
    const answer = askLimit(limit, now, ask, nowMs);
    if (!answer.isGranted)
      return { granted: place, use: now, ...(answer.until !== undefined && { until: answer.until }) };
    now = answer.use;
  }
  return { granted: line.length, use: now };
}

/** A call has ended: what it really took stands in the place of what was granted for it. */
export function settleCall(
  limit: CallLimit,
  use: LimitUse,
  call: {
    readonly grantedAtMs: number;
    readonly granted: CallAsk;
    readonly requests: number;
    readonly tokens: number;
  },
  nowMs: number,
): LimitUse {
  const slots = slotsInForce(limit, use.slots, nowMs);
  const own = slots.findIndex(({ from, last }) => from <= call.grantedAtMs && call.grantedAtMs <= last);
  const more = { requests: call.requests - 1, tokens: call.tokens - counted(limit, call.granted) };
  const underWay = Math.max(0, use.underWay - 1);
  const settled = slots.map((slot, i) =>
    i === own
      ? {
          ...slot,
          requests: Math.max(0, slot.requests + more.requests),
          tokens: Math.max(0, slot.tokens + more.tokens),
        }
      : slot,
  );
  return { ...use, slots: settled, underWay };
}

/** What still counts. A clock that was set back lets nothing count for longer than a window from now. */
function slotsInForce({ windowMs }: CallLimit, slots: readonly UsedSlot[], nowMs: number): UsedSlot[] {
  return slots
    .map((slot) => (slot.last > nowMs ? { ...slot, from: Math.min(slot.from, nowMs), last: nowMs } : slot))
    .filter(({ last }) => last + windowMs > nowMs);
}

/** The first instant at which a call fits beside what counts. */
function whenItFits(limit: CallLimit, slots: readonly UsedSlot[], ask: CallAsk, nowMs: number): number {
  const { requests = Number.POSITIVE_INFINITY, tokens = Number.POSITIVE_INFINITY, windowMs } = limit;
  let usedRequests = 0;
  let usedTokens = 0;
  for (const slot of slots) {
    usedRequests += slot.requests;
    usedTokens += slot.tokens;
  }
  let at = nowMs;
  for (const slot of slots) {
    if (usedRequests + 1 <= requests && usedTokens + counted(limit, ask) <= tokens) break;
    usedRequests -= slot.requests;
    usedTokens -= slot.tokens;
    at = slot.last + windowMs;
  }
  return at;
}

const counted = ({ tokens = Number.POSITIVE_INFINITY }: CallLimit, ask: CallAsk) =>
  Math.min(ask.tokens, tokens);

function added(
  { windowMs }: CallLimit,
  slots: readonly UsedSlot[],
  granted: { readonly requests: number; readonly tokens: number },
  nowMs: number,
): UsedSlot[] {
  const newest = slots.at(-1);
  if (!newest || nowMs - newest.from >= windowMs / SLOTS)
    return [...slots, { from: nowMs, last: nowMs, ...granted }];
  return [
    ...slots.slice(0, -1),
    {
      from: newest.from,
      last: nowMs,
      requests: newest.requests + granted.requests,
      tokens: newest.tokens + granted.tokens,
    },
  ];
}
