import { parseJson } from '@pawl/dag-core';
import {
  type ArtifactRef,
  bodyParts,
  type Json,
  PermanentError,
  readBody,
  type ToolContext,
} from '@pawl/tool-sdk';
import { z } from 'zod';
import { plainReference } from '../artifact-reference.ts';
import { decodeText } from '../decode-text.ts';
import { jsonProblem } from '../json/json-problem.ts';
import { bigIntegers } from '../json/schemas.ts';
import type { Answer } from './send.ts';

/** How large an answer may be, in bytes after decompression. */
export interface HttpLimits {
  /** What no call may go beyond. */
  readonly maxBytes: number;
}

/** Unless a call says otherwise. */
const DEFAULT_INLINE_BYTES = 4 * 1024 * 1024;

/** How an answer is read. */
export const answerFields = {
  charset: z.string().optional().describe('Of text; default: what the answer says, else utf-8.'),
  bigIntegers,
  maxBytes: z.int().min(1).optional().describe('Of the answer, after decompression; more is an error.'),
};

/** What every output begins with. Cookies are left out: they are credentials. */
export const answerOutput = {
  status: z.int(),
  url: z.string().describe('Where the answer came from, after redirects.'),
  headers: z.record(z.string(), z.string()),
};

export interface ReadArgs {
  readonly as: 'auto' | 'json' | 'text' | 'artifact';
  readonly charset?: string | undefined;
  readonly bigIntegers: 'refuse' | 'strings';
  readonly maxBytes?: number | undefined;
  /** Of the artifact. */
  readonly name?: string | undefined;
}

export const headOf = ({
  response,
  url,
}: Answer): { status: number; url: string; headers: Record<string, string> } => ({
  status: response.status,
  url: url.href,
  headers: Object.fromEntries([...response.headers].filter(([name]) => name !== 'set-cookie')),
});

/**
 * The body as a value: JSON, text, null for an empty one; undefined for one that is neither, its body unread.
 *
 * @throws {PermanentError} `response_too_large`, `json_syntax` and its like, `not_text`, `charset_unknown`
 */
export async function readValue(
  answer: Answer,
  args: ReadArgs,
  limits: HttpLimits,
): Promise<Json | undefined> {
  const type = mediaTypeOf(answer.response);
  const kind = args.as === 'auto' ? kindOf(type.essence) : args.as;
  if (answer.response.body === null && kind !== 'artifact') return null;
  if (kind === undefined || kind === 'artifact') return undefined;
  const limit = Math.min(args.maxBytes ?? DEFAULT_INLINE_BYTES, limits.maxBytes);
  checkLength(answer, limit);
  const { bytes, isCut } = await readBody(answer.response, limit);
  if (isCut) throw tooLarge(answer, limit);
  if (bytes.byteLength === 0) return null;
  const what = `The answer of ${shown(answer.url)}`;
  // JSON is UTF-8 whatever the answer says (RFC 8259).
  const text = decodeText(bytes, kind === 'json' ? 'utf-8' : (args.charset ?? type.charset ?? 'utf-8'), what);
  if (kind === 'text') return text;
  const parsed = parseJson(text, { bigIntegers: args.bigIntegers });
  if (parsed.issues) throw jsonProblem(what, parsed.issues);
  return parsed.value;
}

/**
 * Keeps the body as an artifact, piece by piece.
 *
 * @throws {PermanentError} `response_too_large`; nothing is kept then
 */
export async function keepBody(
  ctx: ToolContext,
  answer: Answer,
  args: Pick<ReadArgs, 'name' | 'maxBytes'>,
  limits: HttpLimits,
): Promise<ArtifactRef> {
  const limit = Math.min(args.maxBytes ?? limits.maxBytes, limits.maxBytes);
  checkLength(answer, limit);
  const ref = await ctx.artifacts.put({
    name: args.name ?? nameOf(answer),
    mediaType: answer.response.headers.get('content-type') ?? 'application/octet-stream',
    data: bounded(answer, limit),
  });
  return plainReference(ref);
}

async function* bounded(answer: Answer, limit: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const part of bodyParts(answer.response)) {
    length += part.byteLength;
    if (length > limit) throw tooLarge(answer, limit);
    yield part;
  }
}

/** Lets go of a body that nobody reads. */
export const discardBody = async ({ response }: Answer): Promise<void> => {
  await response.body?.cancel().catch(() => undefined);
};

function checkLength({ response, url }: Answer, limit: number): void {
  if (Number(response.headers.get('content-length') ?? 0) <= limit) return;
  void response.body?.cancel().catch(() => undefined);
  throw tooLarge({ response, url }, limit);
}

function mediaTypeOf(response: Response): { essence: string; charset: string | undefined } {
  const text = response.headers.get('content-type') ?? '';
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(text)?.[1];
  return { essence: text.split(';')[0]!.trim().toLowerCase(), charset };
}

/** What `auto` reads an answer as; without a media type as text. */
function kindOf(essence: string): 'json' | 'text' | undefined {
  if (/^(application|text)\/json$|\+json$/.test(essence)) return 'json';
  const isText =
    essence === '' ||
    /^text\/|\+xml$|^application\/(xml|yaml|x-yaml|javascript|ecmascript|x-ndjson|x-www-form-urlencoded|graphql|sql)$/.test(
      essence,
    );
  return isText ? 'text' : undefined;
}

/** From Content-Disposition, else the last part of the address. */
function nameOf({ response, url }: Answer): string {
  const disposition = response.headers.get('content-disposition') ?? '';
  const encoded = /filename\*\s*=\s*utf-8''([^;]+)/i.exec(disposition)?.[1];
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition);
  const given = decoded(encoded) ?? plain?.[1]?.replaceAll(/\\(.)/g, '$1') ?? plain?.[2];
  const last = decoded(url.pathname.split('/').at(-1)) ?? '';
  // What a service calls its file is a name and never a path.
  const name = (given ?? last)
    .split(/[/\\]/)
    .at(-1)!
    .replaceAll(/[\p{Cc}]/gu, '')
    .slice(0, 200);
  return name === '' || name === '.' || name === '..' ? 'response' : name;
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Without query, which may hold secrets. */
const shown = (url: URL): string => `${url.origin}${url.pathname}`;

const tooLarge = ({ response, url }: Answer, limit: number): PermanentError =>
  new PermanentError({
    code: 'response_too_large',
    message: `${shown(url)} answered ${response.status} with more than ${limit} bytes. Raise maxBytes, or have it kept as an artifact.`,
    detail: { status: response.status, limit },
  });

export const notInline = ({ response, url }: Answer): PermanentError =>
  new PermanentError({
    code: 'response_not_text',
    message: `${shown(url)} answered with ${response.headers.get('content-type')}, which is neither JSON nor text. Use http.download to keep it as an artifact, or say how to read it with "as".`,
  });
