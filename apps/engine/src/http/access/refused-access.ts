import type { ProblemCode } from '@pawl/api';
import { isEnough, type Role } from '@pawl/dag-core';
import type { FastifyInstance } from 'fastify';
import { HttpProblem, problems } from '../http-problem.ts';
import type { Principal } from './authenticate.ts';

/** The one place where a role is compared with the one that a route needs. @throws {HttpProblem} `role_insufficient` */
export function demandRole({ role }: Principal, needed: Role): void {
  if (!isEnough(role, needed)) throw problems.roleInsufficient(role, needed);
}

/** Refusals that somebody may want to look into; the others of this kind are everyday. */
const NOTED: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'api_key_invalid',
  'sign_in_failed',
  'sign_ins_slowed',
  'password_wrong',
  'host_not_allowed',
  'origin_not_allowed',
  'role_insufficient',
]);

/**
 * Writes refused accesses to the log: what was asked for, by whom as far as that is known, and from where. Names that were tried are left
 * out, since people type their password in the place of the name (V13).
 */
export function noteRefusedAccess(app: FastifyInstance): void {
  app.addHook('onError', async (request, _reply, error: unknown) => {
    if (!(error instanceof HttpProblem) || !NOTED.has(error.code)) return;
    const { operation } = request.routeOptions.config;
    request.log.warn(
      { code: error.code, operation, by: request.principal?.by, address: request.ip },
      'access refused',
    );
  });
}
