import { hash } from 'node:crypto';

// Ids come from what a span is about, so that any process can name a span of another one, dead or alive, without asking: a retry
// the attempt before it, a node inside a map the map, every attempt its run.

/** Trace of a run that nobody's trace context came with: its id, which is 16 bytes, too. */
export const traceIdOfRun = (runId: string): string => runId.replaceAll('-', '');

/** Span of a run. */
export const runSpanId = (runId: string): string => spanId(runId, 'run');
/** Span of a container node run, around everything inside it. */
export const containerSpanId = (runId: string, path: string): string => spanId(runId, 'container', path);
/** Span of one attempt of a node run. */
export const attemptSpanId = (runId: string, path: string, attempt: number): string =>
  spanId(runId, 'attempt', path, attempt);
/** Span of one call that an attempt made. */
export const callSpanId = (runId: string, path: string, attempt: number, call: number): string =>
  spanId(runId, 'call', path, attempt, call);
/** Span of a wait, which began when the node run got the status it waited in. */
export const waitSpanId = (runId: string, path: string, sinceMs: number): string =>
  spanId(runId, 'wait', path, sinceMs);
/** Span of an answer that came too late: that of the event that keeps it. */
export const lateSpanId = (runId: string, seq: number): string => spanId(runId, 'late', seq);

/** The first 8 bytes of a SHA-256, in hex. */
const spanId = (...parts: readonly (string | number)[]): string =>
  hash('sha256', parts.join('\n'), 'hex').slice(0, 16);
