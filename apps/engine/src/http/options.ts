import type { Issue, Keeping, ModelInfo, ToolInfo } from '@pawl/api';
import type { Json, JsonObject } from '@pawl/dag-core';
import type { Tracing } from '@pawl/telemetry';
import type { Logger } from 'pino';
import type { EngineStore } from './engine-store.ts';
import type { LiveBus } from './live-bus.ts';
import type { HttpMetrics } from './metrics.ts';

/** `loopback-open`: requests of this machine that bring nothing act as admins of the default workspace. `keys`: every request has a key or a session. */
export type AuthMode = 'loopback-open' | 'keys';

/** Bounds of the server; each has a default. */
export interface HttpLimits {
  /** Greatest request body in bytes. Default 20 MB (20 × 1024²). */
  readonly bodyBytes?: number;
  /** Milliseconds that a body which is parsed as a whole may take to arrive. Default 2 min. */
  readonly bodyMs?: number;
  /** Greatest upload of an artifact in bytes. Default 1 GB (1024³). */
  readonly uploadBytes?: number;
  /** Milliseconds without a byte after which an upload is given up. Default 60 s. */
  readonly uploadIdleMs?: number;
  /** Milliseconds between keep-alive comments of an event stream, below 15 s. Default 10 s. */
  readonly keepAliveMs?: number;
  /** Milliseconds after which a stream reads the journal though nobody woke it. Default 5 s. */
  readonly rereadMs?: number;
  /** Milliseconds that a found key or session is believed without asking again: how long one that ended may still work. Default 5 s. */
  readonly keyCacheMs?: number;
}

/** All that the server is made from; it reads no configuration and no clock but these. */
export interface HttpOptions {
  readonly store: EngineStore;
  readonly live: LiveBus;
  readonly metrics: HttpMetrics;
  /** Undefined: no spans. */
  readonly tracing?: Tracing | undefined;
  readonly logger: Logger;
  readonly auth: { readonly mode: AuthMode; readonly defaultWorkspaceId: string };
  /** Addresses of proxies whose word about whom they serve is taken (`X-Forwarded-*`), with commas. Undefined: nobody's. */
  readonly trustProxy?: string | undefined;
  /** What workers offer now. */
  readonly tools: () => Promise<readonly ToolInfo[]>;
  readonly models: () => Promise<readonly ModelInfo[]>;
  /** How long things are kept, and how much may wait. */
  readonly keeping: Keeping;
  /** The JSON Schema of flow documents. */
  readonly flowSchema: JsonObject;
  /** Every problem of a document; with none, the id that its version would have. */
  readonly validateFlow: (
    document: Json,
    workspaceId: string,
  ) => Promise<{
    readonly issues: readonly Issue[];
    readonly versionId?: string;
  }>;
  /** Folder of the built designer, served at `/`. Undefined: the API alone. */
  readonly designerFolder?: string | undefined;
  /** Of the release, for the OpenAPI document. */
  readonly version: string;
  readonly limits?: HttpLimits;
  /** Epoch milliseconds, for what is believed for a while and for pauses between guesses. */
  readonly now?: () => number;
}

export const DEFAULT_LIMITS = {
  bodyBytes: 20 * 1024 * 1024,
  bodyMs: 120_000,
  uploadBytes: 1024 ** 3,
  uploadIdleMs: 60_000,
  keepAliveMs: 10_000,
  rereadMs: 5_000,
  keyCacheMs: 5_000,
} as const satisfies Required<HttpLimits>;
