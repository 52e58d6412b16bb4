import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { QueueConfig } from '@pawl/queue';
import {
  brokenTimeRelations,
  DEFAULT_TIMES,
  type Retention,
  SealingKey,
  type SessionTimes,
} from '@pawl/run-store';
import { exporterSecrets, passwordsIn, readTracingConfig, type TracingConfig } from '@pawl/telemetry';

/** Everything an engine process is told from outside. The environment is read here only. */
export interface EngineConfig {
  readonly databaseUrl: string;
  readonly queue: QueueConfig;
  readonly host: string;
  readonly port: number;
  readonly auth: 'loopback-open' | 'keys';
  /** How long people stay signed in. */
  readonly sessions: SessionTimes;
  /** Addresses of proxies in front of this engine, with commas. */
  readonly trustProxy: string | undefined;
  readonly leaseMs: number;
  readonly sweepMs: number;
  readonly relayMs: number;
  readonly cancelGraceMs: number;
  readonly queueLimit: number;
  /** Starts of a workspace answer 429 while more of its runs than this wait to start. */
  readonly workspaceLimit: number;
  readonly uploadBytes: number;
  /** Folder of the built designer, where there is one. */
  readonly designerFolder: string | undefined;
  /** Undefined: runs are kept for ever. */
  readonly retention: Retention | undefined;
  /** Undefined: no credentials are stored. */
  readonly sealingKey: SealingKey | undefined;
  readonly logLevel: string;
  /** Undefined: no traces. */
  readonly tracing: TracingConfig | undefined;
  /** What the log must not show. */
  readonly secrets: readonly string[];
}

const HOUR_MS = 3_600_000;

/** A configuration that breaks a relation between time constants (architecture, "Time constants"). */
export class TimeConstantsError extends Error {
  readonly code = 'time_constants_broken';
}

/** @throws {Error} naming the variable that is missing or wrong; {@link TimeConstantsError} naming the rule that is broken */
export function engineConfig(env: NodeJS.ProcessEnv): EngineConfig {
  const databaseUrl = env.DATABASE_URL;
  if (!databaseUrl)
    throw new Error(
      'DATABASE_URL is not set. Give the engine a PostgreSQL database, for instance postgres://localhost/pawl.',
    );
  const auth = env.PAWL_AUTH ?? 'keys';
  if (auth !== 'keys' && auth !== 'loopback-open')
    throw new Error(`PAWL_AUTH is "${auth}"; expected keys or loopback-open.`);
  const config: EngineConfig = {
    databaseUrl,
    queue: env.REDIS_URL
      ? {
          backend: 'redis',
          url: env.REDIS_URL,
          ...(env.PAWL_QUEUE_PREFIX && { prefix: env.PAWL_QUEUE_PREFIX }),
        }
      : { backend: 'postgres', url: databaseUrl },
    host: env.PAWL_HOST ?? '127.0.0.1',
    port: number(env, 'PAWL_PORT', 7420),
    auth,
    sessions: {
      idleMs: aboveZero(env, 'PAWL_SESSION_IDLE_HOURS', 12) * HOUR_MS,
      longestMs: aboveZero(env, 'PAWL_SESSION_DAYS', 14) * 24 * HOUR_MS,
    },
    trustProxy: env.PAWL_TRUST_PROXY || undefined,
    leaseMs: number(env, 'PAWL_LEASE_MS', DEFAULT_TIMES.leaseMs),
    sweepMs: number(env, 'PAWL_SWEEP_MS', DEFAULT_TIMES.sweepMs),
    relayMs: number(env, 'PAWL_RELAY_MS', 1_000),
    cancelGraceMs: number(env, 'PAWL_CANCEL_GRACE_MS', 10_000),
    queueLimit: number(env, 'PAWL_QUEUE_LIMIT', 100_000),
    workspaceLimit: number(env, 'PAWL_WORKSPACE_LIMIT', 50_000),
    uploadBytes: number(env, 'PAWL_UPLOAD_BYTES', 1024 ** 3),
    designerFolder: designerFolder(env),
    retention: retention(env),
    sealingKey: env.PAWL_SECRET_KEY ? SealingKey.parse(env.PAWL_SECRET_KEY) : undefined,
    logLevel: env.PAWL_LOG_LEVEL ?? 'info',
    tracing: readTracingConfig(env, 'pawl-engine'),
    secrets: [
      ...(env.PAWL_SECRET_KEY ? [env.PAWL_SECRET_KEY] : []),
      ...passwordsIn([databaseUrl, env.REDIS_URL]),
      ...exporterSecrets(env),
    ],
  };
  const [broken] = brokenTimeRelations({
    ...config,
    effectMarginMs: number(env, 'PAWL_EFFECT_MARGIN_MS', DEFAULT_TIMES.effectMarginMs),
  });
  if (broken) throw new TimeConstantsError(broken);
  return config;
}

/** @throws {Error} when the folder that is named holds no designer */
function designerFolder(env: NodeJS.ProcessEnv): string | undefined {
  const named = env.PAWL_DESIGNER_FOLDER || undefined;
  const folder = resolve(named ?? fileURLToPath(new URL('../../designer/dist', import.meta.url)));
  if (existsSync(join(folder, 'index.html'))) return folder;
  if (named === undefined) return undefined;
  throw new Error(
    `PAWL_DESIGNER_FOLDER is "${named}", which has no index.html; expected the folder of a built designer (\`npm run build\`), or leave it out.`,
  );
}

function retention(env: NodeJS.ProcessEnv): Retention | undefined {
  const days = number(env, 'PAWL_RETENTION_DAYS', 0);
  const receiptDays = number(env, 'PAWL_RECEIPT_DAYS', 0);
  if (days === 0) return undefined;
  if (days < 1)
    throw new Error(`PAWL_RETENTION_DAYS is "${days}"; expected at least 1 day, or 0 to keep runs for ever.`);
  if (receiptDays === 0) return { days };
  if (receiptDays < days)
    throw new Error(
      `PAWL_RECEIPT_DAYS is "${receiptDays}"; expected at least the ${days} days of PAWL_RETENTION_DAYS, or 0 to keep receipts for ever.`,
    );
  return { days, receiptDays };
}

function aboveZero(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const value = number(env, name, fallback);
  if (value > 0) return value;
  throw new Error(`${name} is "${env[name]}"; expected a number above 0.`);
}

function number(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0)
    throw new Error(`${name} is "${text}"; expected a number, 0 or more.`);
  return value;
}
