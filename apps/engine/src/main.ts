import { randomUUID } from 'node:crypto';
import { flowJsonSchema, pinFlows, validateFlow, versionId } from '@pawl/dag-core';
import { openQueue, prepareQueue } from '@pawl/queue';
import { DEFAULT_WORKSPACE_ID, findFlows, HotStore, migrate, openOrm } from '@pawl/run-store';
import { createLogger, Telemetry } from '@pawl/telemetry';
import { engineConfig } from './config.ts';
import { engineMetrics, roundsMetrics, scheduleMetrics } from './engine-metrics.ts';
import { createHttp, createHttpMetrics } from './http/index.ts';
import { liveWakeUps } from './live-wake-ups.ts';
import { Rounds } from './rounds.ts';
import { Schedules } from './schedules.ts';
import { Catalog } from './store/catalog.ts';
import { postgresEngineStore } from './store/postgres-engine-store.ts';
import { Sweeper } from './sweeper.ts';
import { whenAsked } from './when-asked.ts';

// Wires one engine process: HTTP API, event streams, relay, sweeper, timers. Killing it at any point is a supported way to stop it.

const VERSION = '0.1.0';

/** Resolves when it is ready; the process goes on until it is asked to end. */
export async function main(): Promise<void> {
  const config = engineConfig(process.env);
  const logger = createLogger({ process: 'engine', level: config.logLevel, secrets: config.secrets });
  const telemetry = await Telemetry.open({
    tracing: config.tracing,
    metrics: true,
    logger,
    version: VERSION,
    instanceId: randomUUID(),
  });
  await migrate(config.databaseUrl, { log: (line) => logger.info(line) });
  await prepareQueue(config.queue);
  const queue = await openQueue(config.queue);
  const orm = await openOrm(config.databaseUrl);
  const hot = await HotStore.open({
    url: config.databaseUrl,
    ring: (bells, how) => queue.ring(bells, how),
    onError: (error, doing, runIds) => logger.warn({ err: error, runIds }, `trouble while ${doing}`),
    observer: telemetry,
  });
  telemetry.useStore(hot);
  const catalog = new Catalog(hot);
  const metrics = createHttpMetrics(telemetry.metrics!.registry);
  engineMetrics(metrics.registry, hot, queue);
  const store = postgresEngineStore({
    orm,
    hot,
    queue,
    queueKind: config.queue.backend,
    catalog,
    queueLimit: config.queueLimit,
    workspaceLimit: config.workspaceLimit,
    sessions: config.sessions,
    sealingKey: config.sealingKey,
  });
  const http = createHttp({
    store,
    live: liveWakeUps(hot),
    metrics,
    tracing: telemetry.tracing,
    logger,
    auth: { mode: config.auth, defaultWorkspaceId: DEFAULT_WORKSPACE_ID },
    trustProxy: config.trustProxy,
    tools: () => catalog.tools(),
    models: () => catalog.models(),
    keeping: {
      ...(config.retention && { runDays: config.retention.days }),
      ...(config.retention?.receiptDays !== undefined && { receiptDays: config.retention.receiptDays }),
      uploadBytes: config.uploadBytes,
      queueLimit: config.queueLimit,
      workspaceLimit: config.workspaceLimit,
    },
    flowSchema: flowJsonSchema,
    validateFlow: async (document, workspaceId) => {
      const flows = await findFlows(orm, workspaceId, document);
      const { document: valid, issues } = validateFlow(document, { ...(await catalog.registered()), flows });
      return { issues, ...(valid && { versionId: versionId(pinFlows(valid, flows)) }) };
    },
    designerFolder: config.designerFolder,
    version: VERSION,
    limits: { uploadBytes: config.uploadBytes },
  });
  const sweeper = new Sweeper({
    store: hot,
    queue,
    leaseMs: config.leaseMs,
    cancelGraceMs: config.cancelGraceMs,
  });
  const rounds = new Rounds({
    store: hot,
    sweeper,
    sweepMs: config.sweepMs,
    relayMs: config.relayMs,
    retention: config.retention,
    logger,
    metrics: roundsMetrics(metrics.registry),
  });
  rounds.start();
  const schedules = new Schedules({
    store: hot,
    start: (request) => store.startRun(request),
    cancel: (request) => store.cancelRun(request),
    slowLookMs: config.sweepMs * 5,
    logger,
    onTicked: scheduleMetrics(metrics.registry),
  });
  schedules.start();
  const url = await http.listen({ host: config.host, port: config.port });
  process.stdout.write(`${JSON.stringify({ ready: true, url, pid: process.pid })}\n`);

  let isStopping = false;
  whenAsked(async () => {
    if (isStopping) return;
    isStopping = true;
    rounds.stop();
    schedules.stop();
    await http.close();
    await queue.close();
    await hot.close();
    await orm.close();
    await telemetry.close();
    process.exit(0);
  });
}
