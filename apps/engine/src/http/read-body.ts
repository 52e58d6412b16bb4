import { isUtf8 } from 'node:buffer';
import { isProblemCode } from '@pawl/api';
import { type Json, type ParsedJson, parseJson } from '@pawl/dag-core';
import type { FastifyInstance } from 'fastify';
import { problems } from './http-problem.ts';

/**
 * Bodies reach the routes as text and are parsed only after the caller is known, by the core's parser: no integer is
 * rounded, NUL and lone surrogates stay.
 */
export function takeBodiesAsText(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    if (request.headers['content-encoding'] !== undefined) {
      done(problems.mediaTypeUnsupported(`application/json, ${request.headers['content-encoding']}`));
    } else if (isUtf8(bytes)) {
      if (request.routeOptions.config.keepsBytes) request.bytes = bytes;
      const text = bytes.toString('utf8');
      done(null, text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    } else {
      done(problems.bodyMalformed('it holds bytes that are not UTF-8'));
    }
  });
}

/** Reads a body's text; whether huge integers are kept as strings is the caller's knowledge. */
export type ParseBody = (text: string) => ParsedJson | Promise<ParsedJson>;
export const refuseBigIntegers: ParseBody = (text) => parseJson(text, { bigIntegers: 'refuse' });

/**
 * The value, or the problem to answer.
 * @throws {HttpProblem} `body_malformed`, or the code of the first issue (`unsafe_integer`, `reserved_key`, …)
 */
export function jsonOf({ value, issues }: ParsedJson): Json {
  if (issues === undefined) return value;
  const [first] = issues;
  if (first && isProblemCode(first.code)) throw problems.bodyRefused(first.code, issues);
  throw problems.bodyMalformed((first?.message ?? 'it is empty').replace(/^The text is not JSON: /, ''));
}
