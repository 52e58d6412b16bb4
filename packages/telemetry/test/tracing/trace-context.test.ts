// Would catch: a caller's trace that is lost, or a broken header that refuses a run (C85).
import { describe, expect, it } from 'vitest';
import {
  readTraceContext,
  spanContextOf,
  traceContextOf,
  traceHeaders,
} from '../../src/tracing/trace-context.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const parent = `00-${TRACE}-${SPAN}-01`;

describe('trace context (W3C)', () => {
  it('when a request has both headers, they survive being recorded and sent on', () => {
    const read = readTraceContext({ traceparent: parent, tracestate: 'a=1,b=2' })!;
    expect(read).toEqual({ parent, state: 'a=1,b=2' });
    const recorded = JSON.parse(JSON.stringify(read));
    const context = spanContextOf(recorded)!;
    expect(context).toMatchObject({ traceId: TRACE, spanId: SPAN, traceFlags: 1, isRemote: true });
    expect(traceHeaders(traceContextOf(context))).toEqual({ traceparent: parent, tracestate: 'a=1,b=2' });
  });

  it.each([
    ['not sampled', `00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-00`],
    ['flags that this version does not know', `00-${TRACE}-${SPAN}-ff`, parent],
    ['a newer version with more behind', `cc-${TRACE}-${SPAN}-01-what-the-future-brings`, parent],
    ['space around', `  ${parent} `, parent],
  ])('when it is %s, it is read as far as possible', (_, header, expected) => {
    expect(readTraceContext({ traceparent: header })).toEqual({ parent: expected });
  });

  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['all zero', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['without a span', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['in capitals', parent.toUpperCase()],
    ['of version ff', `ff-${TRACE}-${SPAN}-01`],
    ['of version 00 with more behind', `${parent}-more`],
    ['too short', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['sent twice', `${parent}, ${parent}`],
    ['no text', [parent, parent]],
  ])('when it is %s, there is none, and its state means nothing', (_, header) => {
    expect(readTraceContext({ traceparent: header, tracestate: 'a=1' })).toBeUndefined();
  });

  it.each([
    ['longer than 512 characters', 'a='.padEnd(513, 'x')],
    ['no plain text', 'a=ü'],
    ['empty', ' '],
  ])('when the state is %s, only the parent is kept', (_, state) => {
    expect(readTraceContext({ traceparent: parent, tracestate: state })).toEqual({ parent });
  });
});
