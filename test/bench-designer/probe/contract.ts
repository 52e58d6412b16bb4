/** What is looked at while something is measured. */
export interface Frames {
  /** Milliseconds between one frame and the next. */
  readonly ms: readonly number[];
  /** Milliseconds of all tasks of 50 ms and more together, and of the longest. */
  readonly longTaskMs: number;
  readonly longestTaskMs: number;
}

/** How the canvas is looked at: offset of its origin in pixels, and zoom. */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export interface Spot {
  readonly x: number;
  readonly y: number;
}

export interface Rect extends Spot {
  readonly width: number;
  readonly height: number;
}

/** When a node run was said to be so, and when a frame showed it. Milliseconds since the page began. */
export interface StatusTimes {
  readonly path: string;
  /** The type of the event in the journal. */
  readonly event: string;
  readonly arrivedAt: number;
  /** Absent: no frame showed it. */
  readonly shownAt?: number;
}

/** What a page that is measured can be asked; the same for the designer and for bare React Flow. */
export interface Probe {
  /** Milliseconds since the navigation began until a frame had shown this many nodes and edges; undefined: not yet. */
  drawnAt(nodes: number, edges: number): number | undefined;
  /** Ids of all nodes that are in the page, and how many edges. */
  drawn(): { readonly nodes: readonly string[]; readonly edges: number };
  /** What was sent to the page so far, as it was packed. */
  transferredKb(): number;
  /** Begins to look at frames. */
  watch(): void;
  /** Ends it. */
  frames(): Frames;
  viewport(): Viewport;
  /** Where the canvas is on the screen. */
  canvas(): Rect;
  /** Where a node is on the canvas, in pixels at zoom 1. */
  placeOf(id: string): Spot | undefined;
  /** A point of the screen at which a node can be taken; undefined when something else is above it. */
  gripOf(id: string): Spot | undefined;
  /** A point near the middle of the screen at which there is nothing but the canvas. */
  emptySpot(): Spot | undefined;
  /** From the next press of the mouse or of a key on: looks for the first frame with such an element. */
  expect(press: 'pointerdown' | 'keydown', selector: string, text?: string): void;
  /** Milliseconds from that press to that frame. */
  shownAfterMs(): Promise<number>;
  /** Ids of nodes with the last word of what is said of them, as a frame has shown it. */
  statuses(): Readonly<Record<string, string>>;
  /** Every event of a node run that came by a stream. */
  statusTimes(words: Readonly<Record<string, string>>): readonly StatusTimes[];
}

/** What the bare page can be told. */
export interface BareFlow {
  look(viewport: Viewport): void;
  place(places: Readonly<Record<string, Spot>>): void;
}
