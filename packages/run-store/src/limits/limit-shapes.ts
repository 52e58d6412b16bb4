import type { CallLimit, LimitUse } from '@pawl/dag-core';
import type { Lane } from '../lane.ts';
import type { NodeRunKey } from '../sql/load-node-runs.ts';

/** Name of a limit: whose, and what it is about. Without a workspace it is about the calls of all of them together. */
export const limitKey = (workspaceId: string | null, target: string): string =>
  `${workspaceId ?? '*'} ${target}`;

const LINE = 'limit:';
/** The line of those whom a limit holds up. */
export const lineOfLimit = (key: string): string => `${LINE}${key}`;

/** The limit in whose line somebody stands; undefined when it is another line. */
export const limitOfLine = (line: string): string | undefined =>
  line.startsWith(LINE) ? line.slice(LINE.length) : undefined;

/** A limit under its lock, with what is used of it. */
export interface LockedLimit {
  readonly key: string;
  readonly limit: CallLimit;
  readonly use: LimitUse;
  /** Workspace that was served last. */
  readonly lastWorkspaceId: string | undefined;
  /** When its line is to be looked at. */
  readonly wakeAtMs: number | undefined;
}

/** Leave to call, of one node run under one limit. Without a worker it is kept for whoever claims the node run. */
export interface Permit extends NodeRunKey {
  readonly key: string;
  readonly attempt: number;
  readonly workerId: string | null;
  readonly tokens: number;
  readonly takenAtMs: number;
}

/** Who stands in the line of a limit. */
export interface Standing extends NodeRunKey, Lane {
  readonly key: string;
  readonly workspaceId: string;
  readonly tokens: number;
  /** False: it is not ready any more, and only takes up a place. */
  readonly isReady: boolean;
}

/** A node run is about to make a call, and asks every limit that covers it. */
export interface PermitAsk extends NodeRunKey {
  readonly type: 'ask';
  readonly keys: readonly string[];
  readonly attempt: number;
  readonly workerId: string;
  /** At most; 0 of a tool. */
  readonly tokens: number;
}

/** A call has ended, or was not made (`requests` 0). Without `used` it counts as what was granted. */
export interface CallEnd extends NodeRunKey {
  readonly type: 'end';
  readonly keys: readonly string[];
  readonly workerId: string | null;
  readonly used?: { readonly requests: number; readonly tokens: number };
}

/** Something happened that may let those in line go on. */
interface LineLook {
  readonly type: 'look';
  readonly keys: readonly string[];
}

export type LimitOperation = PermitAsk | CallEnd | LineLook;

/** `refusedBy`: the limit in whose line the node run is to stand. */
export type PermitAnswer =
  | { readonly isGranted: true }
  | { readonly isGranted: false; readonly refusedBy: string };
