// Catches: a refusal of the store that reaches the client as a defect, or a defect that reaches it as a refusal.
import { PROBLEMS } from '@pawl/api';
import { STORE_ERROR_CODES } from '@pawl/run-store';
import { describe, expect, it } from 'vitest';
import { problems } from '../../../src/http/http-problem.ts';
import { documentOf } from '../../../src/http/problem-reply.ts';
import { problemOf } from '../../../src/http/store-answers.ts';
import { refusal } from '../../support/refusal.ts';

const INTERNAL = ['value_too_large', 'value_lost', 'schema_newer', 'migration_timeout'];

describe('errors of the store', () => {
  it.each(STORE_ERROR_CODES.filter((code) => !INTERNAL.includes(code)))(
    '%s is a problem of its own',
    (code) => {
      const problem = problemOf(refusal(code as never, 'Run x is y: expected z.', { runId: 'x' }));
      expect(problem).toMatchObject({ code, message: 'Run x is y: expected z.', members: { runId: 'x' } });
      expect(problem.status).toBe(PROBLEMS[problem.code].status);
    },
  );

  it.each(INTERNAL)('%s is told without its sentence', (code) => {
    const problem = problemOf(refusal(code as never, 'inner detail'));
    expect(problem.status).toBeGreaterThanOrEqual(500);
    expect(problem.message).not.toContain('inner detail');
  });

  it.each([
    ['a foreign error with a code like ours', Object.assign(new Error('x'), { code: 'run_not_found' })],
    ['an unknown code', Object.assign(new Error('x'), { name: 'StoreError', code: 'toString' })],
    ['a text', 'boom'],
    ['nothing', undefined],
  ])('%s is a defect', (_, thrown) => {
    expect(problemOf(thrown).code).toBe('internal_error');
  });

  it('members never replace the standard ones', () => {
    const problem = problemOf(
      refusal('run_not_open', 'Run x is succeeded.', { status: 'succeeded', type: 'x' }),
    );
    expect(documentOf(problem, 'r-1')).toMatchObject({
      status: 409,
      type: 'urn:pawl:problem:run_not_open',
      requestId: 'r-1',
    });
  });
});

describe('sentences of the server', () => {
  const issues = [{ pointer: '/a', code: 'x', message: 'Expected a number' }];
  const all = [
    problems.bodyMalformed('x'),
    problems.bodyTooLarge(20 * 1024 * 1024),
    problems.mediaTypeUnsupported(undefined),
    problems.bodyInvalid(issues),
    problems.queryInvalid(issues),
    problems.headerInvalid(issues),
    problems.keyMissing(),
    problems.keyInvalid(),
    problems.hostNotAllowed(),
    problems.routeNotFound('GET', '/x'),
    problems.methodNotAllowed('PUT', '/v1/runs', ['GET']),
    problems.ifMatchMissing('greet'),
    problems.flowNameMismatch('a', 'b'),
    problems.storeUnavailable(undefined),
    problems.shuttingDown(),
    problems.internalError(undefined),
  ];
  it.each(all.map((problem) => [problem.code, problem.message]))('%s: %s', (_, message) => {
    expect(message).toMatch(/^[A-Z].{40,}\.$/);
    expect(message).not.toMatch(/undefined|\[object/);
  });
});
