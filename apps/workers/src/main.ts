import { openQueue } from '@pawl/queue';
import {
  findLiveWorkers,
  HotStore,
  isProvenDead,
  ownIdentity,
  PresenceLock,
  takeOver,
} from '@pawl/run-store/work';
import { createLogger, HiddenValues, Telemetry } from '@pawl/telemetry';
import { loadTools, ToolRegistry } from '@pawl/tool-sdk';
import { workerConfig } from './config.ts';
import { McpServers } from './mcp/index.ts';
import { createModels } from './models/index.ts';
import { createNetwork } from './network/index.ts';
import { EffectHost } from './runtime/effect-host.ts';
import { Secrets } from './runtime/secrets.ts';
import { Worker } from './runtime/worker.ts';
import { builtinTools } from './tools/index.ts';
import { whenAsked } from './when-asked.ts';

// Wires one worker process. Killing it at any point is a supported way to stop it.

const VERSION = '0.1.0';

/** Resolves when it is ready; the process goes on until it is asked to end. */
export async function main(): Promise<void> {
  const config = workerConfig(process.env);
  const hidden = new HiddenValues(config.hidden);
  const logger = createLogger({ process: 'worker', level: config.logLevel, secrets: hidden });
  const identity = ownIdentity(config.pools);
  const telemetry = await Telemetry.open({
    tracing: config.tracing,
    metrics: config.metrics !== undefined,
    logger,
    version: VERSION,
    instanceId: identity.id,
  });
  const queue = await openQueue(config.queue);
  const store = await HotStore.open({
    url: config.databaseUrl,
    hearing: 'work',
    ring: (bells, how) => queue.ring(bells, how),
    onError: (error, doing, runIds) => logger.warn({ err: error, runIds }, `trouble while ${doing}`),
    observer: telemetry,
  });
  telemetry.useStore(store);
  const tools = new ToolRegistry(builtinTools(config.tools));
  // Tools may be written in TypeScript, with what only a compiler can do; who has none does not pay for it.
  if (config.toolModules.some((specifier) => !/\.[cm]?js$/.test(specifier))) {
    for (const { register } of [await import('tsx/cjs/api'), await import('tsx/esm/api')]) register();
  }
  for (const specifier of config.toolModules) for (const tool of await loadTools(specifier)) tools.add(tool);

  const presence = new PresenceLock(config.databaseUrl, identity.lockKey);
  await presence.take();

  // A worker that starts where another one died need not wait for that one's lease (architecture, "fast death notice").
  const dead = (await findLiveWorkers(store.pool)).filter(isProvenDead).map((worker) => worker.id);
  const taken = await takeOver(store, dead, 'its process has ended');
  if (taken > 0)
    logger.info({ dead, nodeRuns: taken }, 'took over from workers of this host that have ended');

  const network = createNetwork(config.addresses);
  const host = new EffectHost({
    workerId: identity.id,
    store,
    tools,
    models: createModels(config.models, network),
    network,
    logger,
    toolTimeoutMs: config.toolTimeoutMs,
    modelTimeoutMs: config.modelTimeoutMs,
    secrets: new Secrets({
      pool: store.pool,
      sealingKey: config.sealingKey,
      fromEnvironment: config.secrets,
      hide: (value) => hidden.add(value),
    }),
    callbackBase: config.callbackBase,
    calls: telemetry.calls,
  });
  const mcp = new McpServers(config.mcp, {
    network,
    tools,
    logger,
    version: VERSION,
    demandLease: () => host.demandLease(),
    onChange: () => void worker.offersChanged(),
  });
  const worker = new Worker({
    config,
    store,
    identity,
    host,
    logger,
    telemetry,
    servers: () => mcp.offers(),
    onLeaseLost: () => void stop(1),
  });
  await worker.start();
  mcp.start();
  const metricsUrl = config.metrics && (await telemetry.serveMetrics(config.metrics));
  process.stdout.write(
    `${JSON.stringify({ ready: true, workerId: identity.id, pid: process.pid, ...(metricsUrl && { metricsUrl }) })}\n`,
  );

  let isStopping = false;
  async function stop(code: number): Promise<void> {
    if (isStopping) return;
    isStopping = true;
    await worker.drain();
    await mcp.close();
    await presence.release();
    await queue.close();
    await store.close();
    await telemetry.close();
    process.exit(code);
  }
  whenAsked(() => void stop(0));

  // A promise that a tool left behind must not take the work of every other run down with this process.
  process.on('unhandledRejection', (reason) => {
    logger.error(
      { err: reason },
      'a promise was rejected and nobody waited for it; most likely a tool left it behind',
    );
  });
}
