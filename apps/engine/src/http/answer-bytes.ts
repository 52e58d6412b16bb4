import { Readable } from 'node:stream';
import { Raw } from './bind-routes.ts';
import { hasAlready, partOf } from './byte-range.ts';
import { problems } from './http-problem.ts';

/** Bytes that never change, named by their hash (SHA-256, hex). `end` is not included. */
interface Content {
  readonly hash: string;
  readonly bytes: number;
  readonly read: (range: { readonly start: number; readonly end: number }) => AsyncIterable<Uint8Array>;
}

interface Asked {
  readonly range?: string | undefined;
  readonly 'if-range'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
}

/**
 * The content, the part of it that is asked for, or the word that the caller has it already.
 *
 * @throws {HttpProblem} `range_not_satisfiable`
 */
export function answerBytes(
  { hash, bytes, read }: Content,
  asked: Asked,
  about: Readonly<Record<string, string>>,
) {
  const etag = `"${hash}"`;
  if (hasAlready(asked['if-none-match'], etag))
    return { status: 304 as const, body: new Raw(''), headers: sameHeaders(etag) };
  const part = partOf(asked, { bytes, etag });
  if (part.kind === 'outside') throw problems.rangeNotSatisfiable(asked.range!, bytes);
  const { start, end } = part.kind === 'part' ? part : { start: 0, end: bytes };
  return {
    status: part.kind === 'part' ? (206 as const) : (200 as const),
    body: new Raw(Readable.from(read({ start, end }), { objectMode: false })),
    headers: {
      ...sameHeaders(etag),
      ...about,
      'content-length': String(end - start),
      ...(part.kind === 'part' && { 'content-range': `bytes ${start}-${end - 1}/${bytes}` }),
    },
  };
}

/** The bytes never change; but whether the caller may still have them is asked each time. */
const sameHeaders = (etag: string): Record<string, string> => ({
  etag,
  'accept-ranges': 'bytes',
  'cache-control': 'private, no-cache',
});
