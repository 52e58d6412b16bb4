import { type RouteSpec, routes } from '@pawl/api';
import { type HttpProblem, problems } from './http-problem.ts';

const known = (Object.values(routes) as RouteSpec[]).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:[A-Za-z]+/g, '[^/]+')}$`),
}));

/** The problem for an address that no route took: the wrong method, or no such address at all. */
export function unknownAddress(method: string, url: string): HttpProblem {
  const path = url.split('?')[0] ?? '';
  const allowed = known.filter(({ pattern }) => pattern.test(path)).map((route) => route.method);
  return allowed.length > 0
    ? problems.methodNotAllowed(method, path, [...new Set(allowed)])
    : problems.routeNotFound(method, path);
}
