// Which mistake would this catch? A wait that cannot be waited for and is found out only when a run has come to it.
import { describe, expect, it, test } from 'vitest';
import { edges, flow, node, onlyIssue, problems } from './flow-builder.ts';

describe('a wait', () => {
  test.each([
    { for: 'PT15M' },
    { for: 1_500 },
    { for: '{{ input.long }}' },
    { until: '2027-03-01T09:00:00+08:00' },
    { signal: { name: 'order.paid' } },
    { signal: { name: 'paid', key: '{{ input.order }}' }, deadline: 'P1D', onDeadline: 'continue' },
  ])('K14: may say %o', (fields) => {
    expect(problems(flow([node('a', { kind: 'wait', ...fields })]))).toEqual([]);
  });

  test.each([
    [{}, '/nodes/0', 'does not say what it waits for'],
    [{ for: 1, until: '2027-03-01T09:00:00Z' }, '/nodes/0', 'for and until'],
    [{ for: 1, signal: { name: 'paid' } }, '/nodes/0', 'for and signal'],
    [{ for: 1, deadline: 2 }, '/nodes/0/deadline', 'a time ends by itself'],
    [{ signal: { name: 'paid' }, onDeadline: 'fail' }, '/nodes/0/onDeadline', 'has none'],
    [{ signal: { name: 'paid' }, deadline: 'soon' }, '/nodes/0/deadline', 'P1DT12H'],
    [{ for: 'an hour' }, '/nodes/0/for', 'PT15M'],
    [{ for: -1 }, '/nodes/0/for', 'a duration up to ten years'],
    [{ for: 'P11Y' }, '/nodes/0/for', 'a duration up to ten years'],
    [{ until: '2027-03-01T09:00:00' }, '/nodes/0/until', 'with its offset'],
  ])('K14: may not say %o', (fields, pointer, words) => {
    const issue = onlyIssue(flow([node('a', { kind: 'wait', ...fields })]));
    expect(issue).toMatchObject({ code: 'wait_invalid', pointer });
    expect(issue.message).toContain(words);
  });

  it('X3: is checked for what it reads', () => {
    const document = flow(
      [node('a', { kind: 'wait', for: '{{ nodes.b.output }}' }), node('b')],
      edges('a -> b'),
    );
    expect(problems(document)).toEqual(['reference_not_upstream /nodes/0/for']);
  });

  it('K14: has the port timeout when its deadline continues', () => {
    const wait = (onDeadline: string) =>
      flow(
        [node('a', { kind: 'wait', signal: { name: 'paid' }, deadline: 1, onDeadline }), node('b')],
        edges('a:timeout -> b'),
      );
    expect(problems(wait('continue'))).toEqual([]);
    expect(problems(wait('fail'))).toEqual(['port_unknown /edges/0/port']);
  });

  test.each([{ name: '1st' }, {}, { name: 'paid', kye: 'x' }])('K21: a signal is not called %o', (signal) => {
    expect(problems(flow([node('a', { kind: 'emit', signal })]))).toHaveLength(1);
  });
});
