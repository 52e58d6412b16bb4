import type { Io } from '../io.ts';
import { oneLine } from '../output/text-width.ts';
import { plural } from '../output/values.ts';
import { needsPerson, waitingWords } from '../output/waiting.ts';
import { openLiveArea } from './live-area.ts';
import { headLine, progressLines, type RunFacts } from './progress-lines.ts';
import { endedRuns, expectedRuns, type NodeProgress, type RunProgress } from './run-progress.ts';

/** Shows the progress of one run. */
export interface ProgressView {
  /** Something changed, or time went by. */
  show(facts: RunFacts, progress: RunProgress): void;
  /** A line about something else that happened meanwhile. */
  note(line: string): void;
  end(): void;
}

/** Shows nothing. */
export const SILENT_VIEW: ProgressView = {
  show: () => undefined,
  note: () => undefined,
  end: () => undefined,
};

/** Redrawn lines on a terminal, plain lines elsewhere. */
export const openProgressView = (io: Io): ProgressView => (io.isTerminal ? liveView(io) : plainView(io));

function liveView(io: Io): ProgressView {
  const area = openLiveArea(io);
  return {
    show: (facts, progress) => area.draw(progressLines(facts, progress, io)),
    note: (line) => area.note(line),
    end: () => area.end(),
  };
}

const PLAIN_EVERY_MS = 10_000;

/** A line whenever a node of the flow itself is done, when the run begins to wait for a person, and now and then. */
function plainView(io: Io): ProgressView {
  const told = new Set<string>();
  let lastLineAt = io.now();
  const tell = (line: string): void => {
    io.out(`${line}\n`);
    lastLineAt = io.now();
  };
  return {
    show(facts, progress) {
      for (const node of progress.nodes.values()) {
        if (told.has(node.id) || !isDone(node, progress)) continue;
        told.add(node.id);
        if (node.depth === 0 || expectedRuns(progress, node) > 1) tell(doneLine(node));
      }
      if (needsPerson(facts.waitingFor) && facts.waitingFor) {
        const key = `waits ${facts.waitingFor.since}`;
        if (!told.has(key)) tell(`waits for ${waitingWords(facts.waitingFor, io.now())}`);
        told.add(key);
      }
      if (io.now() - lastLineAt >= PLAIN_EVERY_MS) tell(headLine(facts, progress, io));
    },
    note: tell,
    end: () => undefined,
  };
}

/** A node inside a map is done when the map is: more items may come while an outer map goes on. */
function isDone(node: NodeProgress, progress: RunProgress): boolean {
  let outer: NodeProgress = node;
  while (outer.container !== undefined) outer = progress.nodes.get(outer.container) as NodeProgress;
  return endedRuns(outer) > 0 && endedRuns(node) > 0;
}

function doneLine(node: NodeProgress): string {
  const ways = (['failed', 'degraded', 'skipped', 'cancelled'] as const).filter((way) => node[way] > 0);
  const isOne = endedRuns(node) === 1;
  const words = ways.map((way) => (isOne ? way : `${node[way]} ${way}`));
  const done = node.succeeded > 0 ? ['done'] : [];
  const runs = endedRuns(node) > 1 ? ` (${plural(endedRuns(node), 'node run')})` : '';
  return `${'  '.repeat(node.depth)}${oneLine(node.title)}: ${[...done, ...words].join(', ')}${runs}`;
}
