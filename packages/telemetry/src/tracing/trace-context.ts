import type { SpanContext, TraceState } from '@opentelemetry/api';
import type { TraceContext } from '@pawl/dag-core';

// Rules kept here (W3C Trace Context, https://www.w3.org/TR/trace-context/): a `traceparent` that cannot be read is taken for none,
// never for an error; one of a newer version is read as far as this one goes; a `tracestate` without a parent means nothing.

const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** Longest `tracestate` that is carried, in characters; the standard asks for 512 at least. */
const MOST_STATE = 512;

/** A header as servers hand it over. */
type Header = string | readonly string[] | undefined;

/** The trace context a request came with; undefined when it has none that can be read. */
export function readTraceContext(headers: Readonly<Record<string, Header>>): TraceContext | undefined {
  const { traceparent, tracestate } = headers;
  const found = typeof traceparent === 'string' ? parentOf(traceparent.trim()) : undefined;
  if (!found) return undefined;
  const state = (typeof tracestate === 'object' ? tracestate.join(',') : (tracestate ?? '')).trim();
  const isState = state !== '' && state.length <= MOST_STATE && /^[\x20-\x7e]+$/.test(state);
  return { parent: formatParent(found), ...(isState && { state }) };
}

/** A recorded trace context as the parent of spans; undefined when it is not what {@link readTraceContext} gave. */
export function spanContextOf({ parent, state }: TraceContext): SpanContext | undefined {
  const found = parentOf(parent);
  return found && { ...found, isRemote: true, ...(state !== undefined && { traceState: plainState(state) }) };
}

/** A span as the trace context of what it calls. */
export function traceContextOf({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceContext {
  const state = traceState?.serialize();
  return { parent: formatParent({ traceId, spanId, traceFlags }), ...(state && { state }) };
}

/** Headers of a request made under a trace context. */
export const traceHeaders = ({ parent, state }: TraceContext): Record<string, string> => ({
  traceparent: parent,
  ...(state !== undefined && { tracestate: state }),
});

function parentOf(text: string): Pick<SpanContext, 'traceId' | 'spanId' | 'traceFlags'> | undefined {
  const [, version, traceId = '', spanId = '', flags = '', rest] = PARENT.exec(text) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
}

const formatParent = ({
  traceId,
  spanId,
  traceFlags,
}: Pick<SpanContext, 'traceId' | 'spanId' | 'traceFlags'>): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;

/** Carried and never read: entries of others are none of our business. */
const plainState = (text: string): TraceState => {
  const state: TraceState = {
    get: () => undefined,
    set: () => state,
    unset: () => state,
    serialize: () => text,
  };
  return state;
};
