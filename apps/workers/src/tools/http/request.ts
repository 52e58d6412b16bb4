import { type Json, type ToolContext, ToolInputError } from '@pawl/tool-sdk';
import { z } from 'zod';
import { artifactReference } from '../artifact-reference.ts';
import { decodeContent } from '../content.ts';
import { readArtifact } from '../read-artifact.ts';

/** Written by the HTTP client itself; set by hand they would make two readers of one request see two requests. */
const OF_THE_CLIENT: readonly string[] = [
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Largest artifact that is sent as a body. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** RFC 9110, section 5. */
export const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const fields = z.record(z.string(), z.union([scalar, z.array(scalar), z.null()]));

/** What every request is described with. */
export const requestFields = {
  url: z.string().min(1).max(100_000).describe('http or https, without name and password.'),
  query: fields
    .optional()
    .describe('Added to the address; a list gives a parameter several times, null leaves it out.'),
  headers: z.record(z.string(), z.string()).optional(),
  basicAuth: z
    .strictObject({ user: z.string(), password: z.string() })
    .optional()
    .describe('Sent as Authorization: Basic.'),
  maxRedirects: z.int().min(0).max(20).default(5),
  acceptStatus: z
    .array(z.int().min(300).max(599))
    .default([])
    .describe('Statuses that are answers and no failures, for instance [404].'),
};

/** What a body is described with; at most one of them. */
export const bodyFields = {
  json: z.unknown().optional().describe('Sent as JSON.'),
  text: z.string().optional(),
  form: fields.optional().describe('Sent as application/x-www-form-urlencoded.'),
  artifact: artifactReference.optional().describe('Its bytes are sent, with its media type.'),
};

export type RequestArgs = z.output<z.ZodObject<typeof requestFields>>;
export type BodyArgs = z.output<z.ZodObject<typeof bodyFields>>;

/** A request as it is sent, but for the key. */
export interface HttpRequest {
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string | Uint8Array | undefined;
}

/** True when at most one body is given. */
export const hasOneBody = (args: BodyArgs): boolean =>
  [args.json, args.text, args.form, args.artifact].filter((body) => body !== undefined).length <= 1;

/**
 * Puts a request together.
 *
 * @throws {ToolInputError} naming the argument
 */
export async function buildRequest(
  ctx: ToolContext,
  args: RequestArgs & Partial<BodyArgs>,
): Promise<HttpRequest> {
  const url = readUrl(args.url);
  appendFields(url.searchParams, args.query);
  const headers = readHeaders(args.headers);
  if (args.basicAuth) headers.set('authorization', basic(args.basicAuth));
  const { content, mediaType } = await bodyOf(ctx, args);
  if (mediaType !== undefined && !headers.has('content-type')) headers.set('content-type', mediaType);
  if (!headers.has('user-agent')) headers.set('user-agent', 'pawl');
  return { url, headers, body: content };
}

function readUrl(text: string): URL {
  if (!URL.canParse(text)) throw invalid('/url', 'is no address; it begins with http:// or https://');
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol)) throw invalid('/url', 'must begin with http:// or https://');
  if (url.username !== '' || url.password !== '')
    throw invalid('/url', 'has a name and a password in it; give them as basicAuth');
  return url;
}

type Fields = z.output<typeof fields>;

function appendFields(params: URLSearchParams, given: Fields | undefined): void {
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value === null) continue;
    for (const each of Array.isArray(value) ? value : [value]) params.append(name, String(each));
  }
}

function readHeaders(given: Record<string, string> = {}): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    const pointer = `/headers/${name}`;
    if (OF_THE_CLIENT.includes(name.toLowerCase()))
      throw invalid(pointer, 'is written by the client and cannot be set');
    // The error of the platform would show the value, which may be a secret.
    if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value))
      throw invalid(pointer, 'is no header: its name or its value has characters that a header cannot have');
    headers.append(name, value);
  }
  return headers;
}

const basic = ({ user, password }: { readonly user: string; readonly password: string }): string => {
  if (user.includes(':')) throw invalid('/basicAuth/user', 'must not contain ":"');
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`;
};

interface Body {
  readonly content: HttpRequest['body'];
  readonly mediaType?: string;
}

async function bodyOf(ctx: ToolContext, args: Partial<BodyArgs>): Promise<Body> {
  const { json, text, form, artifact } = args;
  if (json !== undefined) return { content: JSON.stringify(json as Json), mediaType: 'application/json' };
  if (text !== undefined)
    return { content: decodeContent(text, 'utf8', '/text'), mediaType: 'text/plain; charset=utf-8' };
  if (artifact !== undefined)
    return {
      content: await readArtifact(ctx, artifact, MAX_BODY_BYTES),
      mediaType: artifact.mediaType ?? 'application/octet-stream',
    };
  if (form === undefined) return { content: undefined };
  const params = new URLSearchParams();
  appendFields(params, form);
  return { content: params.toString(), mediaType: 'application/x-www-form-urlencoded' };
}

const invalid = (pointer: string, message: string): ToolInputError =>
  new ToolInputError({
    message: `The request cannot be made: ${pointer} ${message}.`,
    issues: [{ pointer, message }],
  });
