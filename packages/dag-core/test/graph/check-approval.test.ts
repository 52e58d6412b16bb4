// Which mistake would this catch? A question that cannot be asked or answered, found out only when a run has come to it.
import { describe, expect, it, test } from 'vitest';
import { edges, flow, node, onlyIssue, problems } from './flow-builder.ts';

const form = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
const asking = (fields: object) => flow([node('a', { kind: 'approval', subject: 'May it?', ...fields })]);

describe('an approval', () => {
  test.each([
    {},
    { details: 'Because {{ input.why }}', form, values: { n: '{{ input.n }}' }, who: ['ada'] },
    { deadline: 'P1D' },
    { deadline: '2027-03-01T09:00:00Z', onDeadline: 'reject' },
    { deadline: '{{ input.until }}', onDeadline: 'approve', deadlineValues: { n: 1 }, form },
    { deadline: 1, onDeadline: 'approve', deadlineValues: { n: '{{ input.n }}' }, form },
  ])('K17: may say %o', (fields) => {
    expect(problems(asking(fields))).toEqual([]);
  });

  test.each([
    [{ form: { type: 'objekt' } }, 'schema_invalid', '/nodes/0/form/type'],
    [{ onDeadline: 'reject' }, 'approval_invalid', '/nodes/0/onDeadline'],
    [{ deadline: 'soon' }, 'wait_invalid', '/nodes/0/deadline'],
    [{ deadline: 'P1D', deadlineValues: { n: 1 } }, 'approval_invalid', '/nodes/0/deadlineValues'],
    [
      { deadline: 'P1D', onDeadline: 'approve', form, deadlineValues: { n: 'x' } },
      'approval_invalid',
      '/nodes/0/deadlineValues/n',
    ],
    [{ who: [] }, 'schema', '/nodes/0/who'],
  ])('K17: may not say %o', (fields, code, pointer) => {
    expect(onlyIssue(asking(fields))).toMatchObject({ code, pointer });
  });

  it('K17: needs a subject', () => {
    expect(problems(flow([node('a', { kind: 'approval' })]))).toEqual(['property_missing /nodes/0']);
  });

  it('X3: is checked for what it reads, each text of it', () => {
    const reads = '{{ nodes.b.output }}';
    const document = flow(
      [
        node('a', { kind: 'approval', subject: reads, details: reads, values: reads, deadline: reads }),
        node('b'),
      ],
      edges('a -> b', 'a:rejected -> b'),
    );
    expect(problems(document)).toEqual(
      ['subject', 'details', 'values', 'deadline'].map((name) => `reference_not_upstream /nodes/0/${name}`),
    );
  });
});
