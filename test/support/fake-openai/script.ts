import type { IncomingHttpHeaders } from 'node:http';

/** Token counts as a provider tells them. */
export interface FakeUsage {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  readonly reasoning?: number;
}

/** A tool call in an answer; what is left out is left out on the wire. */
export interface FakeToolCall {
  readonly id?: string;
  readonly name: string;
  /** JSON text, whatever it is. */
  readonly arguments?: string;
}

/** A good answer. */
export interface TextAnswer {
  readonly text: string;
  readonly toolCalls?: readonly FakeToolCall[];
  /** Chat Completions, streamed: the members of `delta.tool_calls`, one chunk each, in place of those made of `toolCalls`. */
  readonly toolDeltas?: readonly object[];
  /** Default `tool_calls` with tool calls, else `stop`. */
  readonly finish?: 'stop' | 'length' | 'content_filter' | 'tool_calls';
  /** Answered in place of the text. */
  readonly refusal?: string;
  readonly usage?: FakeUsage;
  /** Counts told by the first event of a stream already; the last event's are the whole ones. */
  readonly firstUsage?: FakeUsage;
  /** The deltas of a stream; default pieces of five code points. */
  readonly pieces?: readonly string[];
  /** Where the bytes of the stream are cut: at each byte, or at these positions. */
  readonly borders?: 'every-byte' | readonly number[];
  /** The answer waits for this. */
  readonly hold?: Promise<unknown>;
  /** An error event after half of the deltas. */
  readonly breakWith?: { readonly message: string; readonly code?: string };
  /** The stream ends after the deltas without saying why. */
  readonly withoutEnd?: true;
}

/** What the server does with a request. */
export type FakeAnswer =
  | TextAnswer
  | {
      readonly status: number;
      readonly message: string;
      readonly headers?: Record<string, string>;
      readonly type?: string;
      readonly code?: string;
    }
  /** The connection breaks: before the request is read, after it was, or in the middle of the answer. */
  | { readonly cut: 'before' | 'after' | 'middle'; readonly text?: string }
  /** A 200 with this text as body. */
  | { readonly rawBody: string; readonly hold?: Promise<unknown> };

/** A request that arrived. */
export interface FakeRequest {
  readonly endpoint: 'chat' | 'responses';
  readonly body: Record<string, unknown>;
  /** Value of the Idempotency-Key header. */
  readonly key: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** Why it was answered 4xx by the server's own rules. */
  readonly refused?: string;
}

export const DEFAULT_USAGE: FakeUsage = { input: 27, output: 47 };

/** Why an answer ended. */
export const finishOf = ({ finish, toolCalls, toolDeltas }: TextAnswer) =>
  finish ?? (toolCalls || toolDeltas ? 'tool_calls' : 'stop');

/** Deltas of an answer. */
export function piecesOf({ text, refusal, pieces }: TextAnswer): readonly string[] {
  if (pieces !== undefined) return pieces;
  const characters = Array.from(refusal ?? text);
  const cut: string[] = [];
  for (let at = 0; at < characters.length; at += 5) cut.push(characters.slice(at, at + 5).join(''));
  return cut;
}
