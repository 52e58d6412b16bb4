import { DEFAULT_POOL } from '@pawl/dag-core';
import type { QueueConfig } from '@pawl/queue';
import { DEFAULT_TIMES, SealingKey } from '@pawl/run-store/work';
import { exporterSecrets, passwordsIn, readTracingConfig, type TracingConfig } from '@pawl/telemetry';
import { type McpConfig, readMcpConfig, secretsOf } from './mcp/index.ts';
import { type ModelsConfig, readModelsConfig } from './models/index.ts';
import { AddressRules } from './network/index.ts';
import { readToolsConfig, type ToolsConfig } from './tools/config.ts';

/** Everything a worker process is told from outside. The environment is read here only. */
export interface WorkerConfig {
  readonly databaseUrl: string;
  readonly queue: QueueConfig;
  /** Pools whose doorbells it answers. */
  readonly pools: readonly string[];
  /** Strands that may be under way at once. */
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly effectMarginMs: number;
  /** An event loop that stands still for longer ends the process. */
  readonly stuckMs: number;
  readonly toolTimeoutMs: number;
  readonly modelTimeoutMs: number;
  readonly drainMs: number;
  readonly tools: ToolsConfig;
  readonly toolModules: readonly string[];
  readonly models: ModelsConfig;
  /** MCP servers whose tools it offers, by name. */
  readonly mcp: McpConfig;
  /** Which private addresses tools and models may connect to. */
  readonly addresses: AddressRules;
  /** Where services reach the engine for callbacks; undefined: nowhere. */
  readonly callbackBase: string | undefined;
  /** From variables `PAWL_SECRET_<NAME>`; the same for every workspace of this worker. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Opens credentials; undefined: none can be. */
  readonly sealingKey: SealingKey | undefined;
  readonly logLevel: string;
  /** Where metrics are shown; undefined: nowhere, and nothing is counted. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  /** Undefined: no traces. */
  readonly tracing: TracingConfig | undefined;
  /** What the log must not show. */
  readonly hidden: readonly string[];
}

/** @throws {Error} naming the variable that is missing or wrong */
export function workerConfig(env: NodeJS.ProcessEnv): WorkerConfig {
  const databaseUrl = env.DATABASE_URL;
  if (!databaseUrl)
    throw new Error(
      'DATABASE_URL is not set. Give the worker the database of the engine, for instance postgres://localhost/pawl.',
    );
  const queue: QueueConfig = env.REDIS_URL
    ? {
        backend: 'redis',
        url: env.REDIS_URL,
        ...(env.PAWL_QUEUE_PREFIX && { prefix: env.PAWL_QUEUE_PREFIX }),
      }
    : { backend: 'postgres', url: databaseUrl };
  const models = readModelsConfig(env);
  const mcp = readMcpConfig(env);
  const secrets = secretsIn(env);
  return {
    databaseUrl,
    queue,
    pools: poolsIn(env.PAWL_POOLS),
    concurrency: number(env, 'PAWL_CONCURRENCY', 100),
    leaseMs: number(env, 'PAWL_LEASE_MS', DEFAULT_TIMES.leaseMs),
    effectMarginMs: number(env, 'PAWL_EFFECT_MARGIN_MS', DEFAULT_TIMES.effectMarginMs),
    stuckMs: number(env, 'PAWL_STUCK_MS', 300_000),
    toolTimeoutMs: number(env, 'PAWL_TOOL_TIMEOUT_MS', 60_000),
    modelTimeoutMs: number(env, 'PAWL_MODEL_TIMEOUT_MS', 300_000),
    drainMs: number(env, 'PAWL_DRAIN_MS', 10_000),
    tools: readToolsConfig(env),
    toolModules: (env.PAWL_TOOLS ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
    callbackBase: env.PAWL_CALLBACK_URL || undefined,
    models,
    mcp,
    addresses: AddressRules.parse(env.PAWL_ALLOW_PRIVATE_ADDRESSES ?? ''),
    secrets,
    sealingKey: env.PAWL_SECRET_KEY ? SealingKey.parse(env.PAWL_SECRET_KEY) : undefined,
    logLevel: env.PAWL_LOG_LEVEL ?? 'info',
    metrics: env.PAWL_METRICS_PORT
      ? { host: env.PAWL_METRICS_HOST ?? '127.0.0.1', port: number(env, 'PAWL_METRICS_PORT', 0) }
      : undefined,
    tracing: readTracingConfig(env, 'pawl-worker'),
    hidden: [
      ...Object.values(secrets),
      ...(env.PAWL_SECRET_KEY ? [env.PAWL_SECRET_KEY] : []),
      ...keysOf(models),
      ...Object.values(mcp).flatMap(secretsOf),
      ...passwordsIn([databaseUrl, env.REDIS_URL]),
      ...exporterSecrets(env),
    ],
  };
}

/** Keys of model servers, and what else goes along in headers. */
function keysOf({ openai, compatible = {} }: ModelsConfig): string[] {
  const ofServers = Object.values(compatible).flatMap(({ apiKey, headers = {} }) => [
    apiKey,
    ...Object.values(headers),
  ]);
  return [openai?.apiKey, ...ofServers].filter((key) => key !== undefined);
}

function number(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0)
    throw new Error(`${name} is "${text}"; expected a number, 0 or more.`);
  return value;
}

function poolsIn(text = ''): string[] {
  const names = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  const wrong = names.find((name) => !/^[a-z][a-z0-9_-]{0,63}$/.test(name));
  if (wrong !== undefined)
    throw new Error(
      `PAWL_POOLS names a pool "${wrong}"; expected names of lower-case letters, digits, _ or -, separated by commas.`,
    );
  return names.length > 0 ? [...new Set(names)] : [DEFAULT_POOL];
}

const SECRET_PREFIX = 'PAWL_SECRET_';

function secretsIn(env: NodeJS.ProcessEnv): Record<string, string> {
  const found = Object.entries(env).filter(
    // `PAWL_SECRET_KEY` opens credentials, and is none of the secrets that tools may read.
    ([name, value]) => name.startsWith(SECRET_PREFIX) && name !== 'PAWL_SECRET_KEY' && value !== undefined,
  );
  return Object.fromEntries(
    found.map(([name, value]) => [name.slice(SECRET_PREFIX.length), value as string]),
  );
}
