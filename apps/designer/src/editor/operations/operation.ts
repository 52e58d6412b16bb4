import type { EdgeConfig, FlowDocument, Json, NodeConfig } from '@pawl/dag-core';
import type { Clip, CopiedDrawings } from '../clipboard/clip.ts';
import type { GraphPath } from '../document/graph.ts';
import type { Box, Drawing, Frame, Note, Pin, Point } from '../document/layout.ts';
import type { Patch } from '../document/patch.ts';

/** Everything a person can do to a document. Plain data: it can be kept, sent and done again. */
export type Operation =
  | AddNode
  | RemoveNodes
  | Connect
  | Disconnect
  | Reconnect
  | SetSetting
  | SetFlowSetting
  | RenameNode
  | Arrange
  | SetLook
  | Draw
  | Wrap
  | Paste
  | Duplicate
  | Replace
  | ApplyPatches;

/** Those that write expressions anew. */
export type Rewriting = RenameNode | Paste | Duplicate;

/** How a new node comes to be connected. */
export type Wire =
  | { readonly from: string; readonly port?: string }
  | { readonly to: string }
  /** Into an edge, which then leads to the new node, and from it on. */
  | { readonly into: EdgeConfig };

export interface AddNode {
  readonly do: 'addNode';
  readonly graph: GraphPath;
  readonly node: NodeConfig;
  /** Absent: beside what it is wired to. */
  readonly at?: Point;
  readonly wire?: Wire;
}

/** With their edges, and with what they hold. */
export interface RemoveNodes {
  readonly do: 'removeNodes';
  readonly graph: GraphPath;
  readonly ids: readonly string[];
}

export interface Connect {
  readonly do: 'connect';
  readonly graph: GraphPath;
  readonly edge: EdgeConfig;
}

export interface Disconnect {
  readonly do: 'disconnect';
  readonly graph: GraphPath;
  readonly edges: readonly EdgeConfig[];
}

/** Gives an edge other ends; it keeps its place among the edges. */
export interface Reconnect {
  readonly do: 'reconnect';
  readonly graph: GraphPath;
  readonly edge: EdgeConfig;
  readonly to: EdgeConfig;
}

/** Without a value the setting is taken out. Edges of a port that goes with it go too; those of one that is renamed follow. */
export interface SetSetting {
  readonly do: 'setSetting';
  readonly graph: GraphPath;
  readonly id: string;
  /** JSON pointer inside the node, for instance `/retry/maxAttempts`; `/list/-` is behind the last item. */
  readonly pointer: string;
  readonly value?: Json;
}

export interface SetFlowSetting {
  readonly do: 'setFlowSetting';
  /** JSON pointer inside the document, for instance `/budget/costUsd`. */
  readonly pointer: string;
  readonly value?: Json;
}

/** References in expressions, edges and layout follow. */
export interface RenameNode {
  readonly do: 'renameNode';
  readonly graph: GraphPath;
  readonly id: string;
  readonly to: string;
}

/** Puts things where they are wanted: a drag, arrow keys, a resize, align, distribute, tidy. */
export interface Arrange {
  readonly do: 'arrange';
  readonly nodes?: Readonly<Record<string, Partial<Box>>>;
  readonly notes?: Readonly<Record<string, Partial<Box>>>;
  readonly frames?: Readonly<Record<string, Partial<Box>>>;
  /** What it is called in the list of what can be undone. Default `move`. */
  readonly as?: 'move' | 'resize' | 'align' | 'distribute' | 'tidy';
}

/** Colours nodes, opens and closes containers, keeps an output with them. Null takes a member out. */
export interface SetLook {
  readonly do: 'setLook';
  readonly ids: readonly string[];
  readonly color?: string | null;
  readonly collapsed?: boolean | null;
  readonly pin?: Pin | null;
}

/** Adds a note or a frame, changes it, or, without a value, takes it away. */
export interface Draw {
  readonly do: 'draw';
  readonly drawing: Drawing;
  readonly id: string;
  readonly value?: Note | Frame;
}

/** Puts nodes into a new container; edges across its border are those of the container then. */
export interface Wrap {
  readonly do: 'wrap';
  readonly graph: GraphPath;
  readonly ids: readonly string[];
  /** The container without its body, for instance `{ id: 'again', kind: 'loop', until: '…' }`. */
  readonly container: Readonly<Record<string, Json>> & {
    readonly id: string;
    readonly kind: 'loop' | 'map';
  };
}

export interface Paste {
  readonly do: 'paste';
  readonly graph: GraphPath;
  readonly clip: Clip;
  /** Where the upper left corner of it is. Absent: a little beside where it was. */
  readonly at?: Point;
  /** What becomes of the edges that led to the nodes from outside. Default `cut`. */
  readonly incoming?: 'cut' | 'keep';
}

export interface Duplicate extends CopiedDrawings {
  readonly do: 'duplicate';
  readonly graph: GraphPath;
  readonly ids: readonly string[];
  readonly incoming?: 'cut' | 'keep';
}

/** Another document in its place: a version that is restored, what was merged, what was written as text. It is taken as it is. */
interface Replace {
  readonly do: 'replace';
  readonly document: FlowDocument;
  /** Default `replace`. */
  readonly as?: 'replace' | 'restore' | 'merge';
}

/** The inverse of another operation. */
export interface ApplyPatches {
  readonly do: 'patch';
  readonly patches: readonly Patch[];
}

/** The name of an entry of the history, as data: what was done, to which one, or to how many. */
export interface Label {
  readonly did:
    | Exclude<Operation['do'], 'arrange' | 'replace' | 'draw' | 'setLook'>
    | NonNullable<Arrange['as']>
    | NonNullable<Replace['as']>
    | 'setTitle'
    | 'color'
    | 'collapse'
    | 'expand'
    | 'pin'
    | 'unpin'
    | 'editNote'
    | 'removeNote'
    | 'editFrame'
    | 'removeFrame';
  /** An id, a pointer or a name. */
  readonly what?: string;
  readonly count?: number;
}
