// Which mistake would this catch? A wait that cannot be waited for and is found out only when a run has come to it.
import { describe, expect, it, test } from 'vitest';
import { edges, flow, node, onlyIssue, problems } from './flow-builder.ts';

describe('a wait', () => {
  test.each([
    { for: 'PT15M' },
    { for: 1_500 },
    { for: '{{ input.long }}' },
    { until: '2027-03-01T09:00:00+08:00' },
  ])('K14: may say %o', (fields) => {
    expect(problems(flow([node('a', { kind: 'wait', ...fields })]))).toEqual([]);
  });

  test.each([
    [{}, '/nodes/0', 'does not say what it waits for'],
    [{ for: 1, until: '2027-03-01T09:00:00Z' }, '/nodes/0', 'for and until'],
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
});
