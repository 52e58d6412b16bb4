import { createHash, randomUUID } from 'node:crypto';
import type { Artifact } from '@pawl/api';
import { type FlowDocument, planTest } from '@pawl/dag-core';
import type { EffectDetail } from '@pawl/run-store';
import type { EngineStore, RunRef } from '../../src/http/engine-store.ts';
import { MemoryAccess } from './memory-access.ts';
import { MemoryBus } from './memory-bus.ts';
import { MemoryCredentials } from './memory-credentials.ts';
import { MemoryFlows } from './memory-flows.ts';
import { MemoryInbox } from './memory-inbox.ts';
import { MemoryLimits } from './memory-limits.ts';
import { MemoryRuns } from './memory-runs.ts';
import { MemorySchedules } from './memory-schedules.ts';
import { MemorySignals } from './memory-signals.ts';
import { MemoryWebhooks } from './memory-webhooks.ts';
import { refusal } from './refusal.ts';

export { ELSEWHERE_KEY, HOME, HOME_KEY, keyOf } from './memory-access.ts';

/** A store in memory for tests of the routes. `outage`: what every call rejects with while it is set. */
export class MemoryStore implements EngineStore {
  readonly bus = new MemoryBus();
  readonly flows = new MemoryFlows();
  readonly runs = new MemoryRuns(this.flows, this.bus);
  readonly schedules = new MemorySchedules(this.flows);
  readonly inbox = new MemoryInbox();
  readonly webhooks = new MemoryWebhooks(this.flows);
  readonly signals = new MemorySignals();
  readonly limits = new MemoryLimits();
  readonly credentials = new MemoryCredentials();
  readonly access = new MemoryAccess();
  readonly artifacts: { workspaceId: string; artifact: Artifact; bytes: Buffer }[] = [];
  readonly effects: { workspaceId: string; effect: EffectDetail }[] = [];
  readonly effectFilters: object[] = [];
  /** What uploads broke off with. */
  readonly brokenUploads: unknown[] = [];
  outage: Error | undefined;
  queueWorks = true;
  keyLookups = 0;

  async #up<T>(work: () => T): Promise<T> {
    if (this.outage) throw this.outage;
    return work();
  }

  listFlows: EngineStore['listFlows'] = (id) =>
    this.#up(() => this.flows.list(id).map((flow) => ({ ...flow, recent: this.runs.recent(id, flow.name) })));
  getFlow: EngineStore['getFlow'] = (ref) => this.#up(() => this.flows.get(ref));
  createFlow: EngineStore['createFlow'] = (request) => this.#up(() => this.flows.create(request));
  pauseFlow: EngineStore['pauseFlow'] = (request) => this.#up(() => this.flows.pause(request));
  resumeFlow: EngineStore['resumeFlow'] = (ref) => this.#up(() => this.flows.resume(ref));
  bulkRuns: EngineStore['bulkRuns'] = (request) => this.#up(() => this.runs.bulk(request));
  saveDraft: EngineStore['saveDraft'] = (request) => this.#up(() => this.flows.saveDraft(request));
  publishFlow: EngineStore['publishFlow'] = (request) => this.#up(() => this.flows.publish(request));
  listVersions: EngineStore['listVersions'] = (ref) => this.#up(() => this.flows.versions(ref));
  getVersion: EngineStore['getVersion'] = (ref) => this.#up(() => this.flows.version(ref));
  exportFlow: EngineStore['exportFlow'] = ({ version, ...ref }) =>
    this.#up(() =>
      version === undefined
        ? this.flows.get(ref).document
        : (this.flows.version({ ...ref, version }).document as never),
    );
  documentToRun: EngineStore['documentToRun'] = (ref) => this.#up(() => this.flows.toRun(ref).document);

  planTest: EngineStore['planTest'] = (request) =>
    this.#up(() => planTest(this.flows.get(request).document as unknown as FlowDocument, request));
  startTest: EngineStore['startTest'] = async (request) => {
    const plan = await this.planTest(request);
    if (plan.undecided.length > 0)
      throw refusal('effects_undecided', 'The test would call what must not be repeated.', {
        nodes: plan.undecided,
      });
    return { ...(await this.#up(() => this.runs.startTest(request))), plan };
  };
  startRun: EngineStore['startRun'] = (request) => this.#up(() => this.runs.start(request));
  listRuns: EngineStore['listRuns'] = (id, filter) => this.#up(() => this.runs.list(id, filter));
  getRun: EngineStore['getRun'] = (ref) => this.#up(() => this.runs.find(ref)?.detail);
  cancelRun: EngineStore['cancelRun'] = (request) => this.#up(() => this.runs.cancel(request));
  retryRun: EngineStore['retryRun'] = (request) => this.#up(() => this.runs.retry(request));
  pauseRun: EngineStore['pauseRun'] = (request) => this.#up(() => this.runs.pause(request));
  resumeRun: EngineStore['resumeRun'] = (request) => this.#up(() => this.runs.resume(request));
  raiseBudget: EngineStore['raiseBudget'] = (request) => this.#up(() => this.runs.raiseBudget(request));

  listNodeRuns: EngineStore['listNodeRuns'] = (ref) =>
    this.#up(() => {
      const run = this.runs.find(ref);
      const shown = run?.nodeRuns.filter(
        ({ nodeId, path }) => (ref.node ?? nodeId) === nodeId && (ref.path ?? path) === path,
      );
      return shown && { items: shown.map(({ events: _events, ...summary }) => summary) };
    });
  listWork: EngineStore['listWork'] = (ref) =>
    this.#up(() => {
      const held = this.runs.find(ref)?.nodeRuns.filter(({ status }) => status === 'running');
      return held && { items: held.map(({ path, attempt }) => ({ path, attempt, ...HELD })) };
    });
  getNodeRun: EngineStore['getNodeRun'] = (ref) =>
    this.#up(() => this.runs.find(ref)?.nodeRuns.find(({ path }) => path === ref.path));
  settleNodeRun: EngineStore['settleNodeRun'] = (request) => this.#up(() => this.runs.settle(request));
  readonly callbacks: Parameters<EngineStore['receiveCallback']>[0][] = [];
  receiveCallback: EngineStore['receiveCallback'] = (request) =>
    this.#up(() => {
      if (request.token !== 'known') throw refusal('callback_unknown', 'This address takes no callback.');
      this.callbacks.push(request);
      return { state: 'taken' as const };
    });
  listCredentials: EngineStore['listCredentials'] = (id) => this.#up(() => this.credentials.list(id));
  setCredential: EngineStore['setCredential'] = (request) => this.#up(() => this.credentials.set(request));
  removeCredential: EngineStore['removeCredential'] = (ref) => this.#up(() => this.credentials.remove(ref));
  listLimits: EngineStore['listLimits'] = (id) => this.#up(() => this.limits.listLimits(id));
  setLimit: EngineStore['setLimit'] = (request) => this.#up(() => this.limits.setLimit(request));
  removeLimit: EngineStore['removeLimit'] = (ref) => this.#up(() => this.limits.removeLimit(ref));
  readonly toolUse = new Map<string, Awaited<ReturnType<EngineStore['getToolUse']>>>();
  getToolUse: EngineStore['getToolUse'] = ({ workspaceId, tool }) =>
    this.#up(() => this.toolUse.get(`${workspaceId}/${tool}`) ?? NO_USE);
  readonly tries: Parameters<EngineStore['tryTool']>[0][] = [];
  tryTool: EngineStore['tryTool'] = (request) =>
    this.#up(() => {
      if (!request.isAllowed)
        throw refusal('effects_undecided', 'It must not be repeated.', { nodes: ['call'] });
      this.tries.push(request);
      return { runId: randomUUID(), versionId: 'f'.repeat(64), path: 'call' };
    });
  getWorkState: EngineStore['getWorkState'] = () =>
    this.#up(() => ({ workers: [], pools: [], queue: 'postgres' as const, isCut: false }));
  sendSignal: EngineStore['sendSignal'] = (signal) => this.#up(() => this.signals.send(signal));
  listSignals: EngineStore['listSignals'] = (id, filter) => this.#up(() => this.signals.list(id, filter));
  runsById: EngineStore['runsById'] = (workspaces, ids) => this.#up(() => this.runs.byId(workspaces, ids));
  countInbox: EngineStore['countInbox'] = (id, filter) => this.#up(() => this.inbox.count(id, filter));
  listInbox: EngineStore['listInbox'] = (id, filter) => this.#up(() => this.inbox.list(id, filter));
  getQuestion: EngineStore['getQuestion'] = (ref) => this.#up(() => this.inbox.find(ref));
  answerQuestion: EngineStore['answerQuestion'] = (request) => this.#up(() => this.inbox.answer(request));
  readEvents: EngineStore['readEvents'] = (ref) => this.#up(() => this.runs.events(ref));

  openValue: EngineStore['openValue'] = async ({ seq, name, ...ref }) => {
    const event = this.runs.find(ref)?.journal.find((each) => each.seq === seq);
    const value = (event?.data as Readonly<Record<string, unknown>> | undefined)?.[name];
    if (value === undefined) return undefined;
    const bytes = Buffer.from(JSON.stringify(value));
    return {
      hash: createHash('sha256').update(bytes).digest('hex'),
      bytes: bytes.length,
      read: ({ start, end } = { start: 0, end: bytes.length }) => cut(bytes.subarray(start, end)),
    };
  };

  #artifact(workspaceId: string, artifactId: string) {
    return this.artifacts.find(
      (each) => each.workspaceId === workspaceId && each.artifact.id === artifactId.toLowerCase(),
    );
  }
  listArtifacts: EngineStore['listArtifacts'] = (ref: RunRef) =>
    this.#up(() => {
      const mine = this.artifacts.filter(({ artifact }) => artifact.runId === ref.runId);
      return this.runs.find(ref) && { items: mine.map(({ artifact }) => artifact) };
    });
  getArtifact: EngineStore['getArtifact'] = (workspaceId, id) =>
    this.#up(() => this.#artifact(workspaceId, id)?.artifact);
  openArtifact: EngineStore['openArtifact'] = (workspaceId, id) =>
    this.#up(() => {
      const found = this.#artifact(workspaceId, id);
      return (
        found && {
          artifact: found.artifact,
          read: ({ start, end } = { start: 0, end: found.bytes.length }) =>
            cut(found.bytes.subarray(start, end)),
        }
      );
    });
  findArtifacts: EngineStore['findArtifacts'] = ({ workspaceId, name, uploaded }) =>
    this.#up(() => ({
      items: this.artifacts
        .filter((each) => each.workspaceId === workspaceId)
        .map(({ artifact }) => artifact)
        .filter((artifact) => name === undefined || artifact.name === name)
        .filter(({ runId }) => uploaded === undefined || uploaded === (runId === undefined)),
    }));
  uploadArtifact: EngineStore['uploadArtifact'] = async ({ workspaceId, by, name, mediaType, content }) => {
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of content) chunks.push(chunk);
    } catch (error) {
      this.brokenUploads.push(error);
      throw error;
    }
    return this.#up(() => {
      const bytes = Buffer.concat(chunks);
      const hash = createHash('sha256').update(bytes).digest('hex');
      const versions = this.artifacts.filter(
        (each) => each.workspaceId === workspaceId && each.artifact.name === name,
      );
      const newest = versions.at(-1);
      if (newest?.artifact.hash === hash) return { artifact: newest.artifact, isNew: false };
      const createdAt = '2026-01-02T03:04:05.000Z';
      const id = randomUUID();
      const made = { id, artifactId: id, by, name, mediaType, bytes: bytes.length, hash, createdAt };
      const artifact = { ...made, version: versions.length + 1 };
      this.artifacts.push({ workspaceId, artifact, bytes });
      return { artifact, isNew: true };
    });
  };

  listSchedules: EngineStore['listSchedules'] = (request) =>
    this.#up(() => ({ items: this.schedules.list(request) }));
  createSchedule: EngineStore['createSchedule'] = ({ workspaceId, spec }) =>
    this.#up(() => this.schedules.create(workspaceId, spec));
  exportSchedules: EngineStore['exportSchedules'] = (request) =>
    this.#up(() =>
      this.schedules
        .list(request)
        .map(({ missedCount: _count, createdAt: _created, updatedAt: _updated, ...spec }) => spec),
    );
  importSchedules: EngineStore['importSchedules'] = ({ workspaceId, specs }) =>
    this.#up(() => specs.map((spec) => this.schedules.create(workspaceId, { ...spec, enabled: false })));
  getSchedule: EngineStore['getSchedule'] = (ref) => this.#up(() => this.schedules.get(ref));
  changeSchedule: EngineStore['changeSchedule'] = ({ changes, ...ref }) =>
    this.#up(() => this.schedules.change(ref, changes));
  deleteSchedule: EngineStore['deleteSchedule'] = (ref) => this.#up(() => this.schedules.delete(ref));
  pauseSchedule: EngineStore['pauseSchedule'] = (ref) =>
    this.#up(() => this.schedules.change(ref, { enabled: false }));
  resumeSchedule: EngineStore['resumeSchedule'] = (ref) =>
    this.#up(() => this.schedules.change(ref, { enabled: true }));
  nextSlots: EngineStore['nextSlots'] = (request) => this.#up(() => this.schedules.next(request));
  listSlots: EngineStore['listSlots'] = (ref) =>
    this.#up(() => {
      this.schedules.get(ref);
      return { items: [] };
    });
  backfillSchedule: EngineStore['backfillSchedule'] = (ref) =>
    this.#up(() => {
      this.schedules.get(ref);
      return { slots: 0, queued: 0, alreadyThere: 0 };
    });

  listWebhooks: EngineStore['listWebhooks'] = ({ workspaceId }) =>
    this.#up(() => ({ items: this.webhooks.list(workspaceId) }));
  createWebhook: EngineStore['createWebhook'] = ({ workspaceId, spec }) =>
    this.#up(() => this.webhooks.create(workspaceId, spec));
  getWebhook: EngineStore['getWebhook'] = (ref) => this.#up(() => this.webhooks.find(ref).webhook);
  changeWebhook: EngineStore['changeWebhook'] = ({ changes, ...ref }) =>
    this.#up(() => this.webhooks.change(ref, changes));
  deleteWebhook: EngineStore['deleteWebhook'] = (ref) => this.#up(() => this.webhooks.delete(ref));
  rotateWebhookSecret: EngineStore['rotateWebhookSecret'] = (request) =>
    this.#up(() => this.webhooks.rotate(request));
  findHook: EngineStore['findHook'] = (id) => this.#up(() => this.webhooks.hook(id));
  noteRefusal: EngineStore['noteRefusal'] = (webhookId, noted) =>
    this.#up(() => void this.webhooks.refusals.push({ webhookId, ...noted }));

  #effectsOf(workspaceId: string) {
    return this.effects.filter((each) => each.workspaceId === workspaceId).map(({ effect }) => effect);
  }
  listEffects: EngineStore['listEffects'] = ({ workspaceId, ...filter }) =>
    this.#up(() => {
      this.effectFilters.push(filter);
      const items = this.#effectsOf(workspaceId).map(({ request: _r, output: _o, ...summary }) => summary);
      return { items };
    });
  exportEffects: EngineStore['exportEffects'] = async function* (
    this: MemoryStore,
    { workspaceId, ...filter },
  ) {
    this.effectFilters.push(filter);
    for (const { output: _output, request, ...summary } of this.#effectsOf(workspaceId))
      yield filter.withRequest ? { ...summary, request } : summary;
    if (this.outage) throw this.outage;
  };
  getEffect: EngineStore['getEffect'] = ({ workspaceId, runId, seq }) =>
    this.#up(() =>
      this.#effectsOf(workspaceId).find((effect) => effect.runId === runId && effect.seq === seq),
    );

  findKey: EngineStore['findKey'] = (key) =>
    this.#up(() => {
      this.keyLookups += 1;
      return this.access.findKey(key);
    });
  findSession: EngineStore['findSession'] = (token) => this.#up(() => this.access.findSession(token));
  findByPassword: EngineStore['findByPassword'] = (tried) =>
    this.#up(() => this.access.findByPassword(tried));
  isPasswordOf: EngineStore['isPasswordOf'] = (tried) => this.#up(() => this.access.isPasswordOf(tried));
  openSession: EngineStore['openSession'] = (owner) => this.#up(() => this.access.openSession(owner));
  endSession: EngineStore['endSession'] = (token) => this.#up(() => this.access.endSession(token));
  endSessionsOf: EngineStore['endSessionsOf'] = (owner) => this.#up(() => this.access.endSessionsOf(owner));
  getWorkspace: EngineStore['getWorkspace'] = (id) => this.#up(() => this.access.getWorkspace(id));
  listUsers: EngineStore['listUsers'] = (id) => this.#up(() => this.access.listUsers(id));
  createUser: EngineStore['createUser'] = (request) => this.#up(() => this.access.createUser(request));
  changeUser: EngineStore['changeUser'] = (request) => this.#up(() => this.access.changeUser(request));
  removeUser: EngineStore['removeUser'] = (ref) => this.#up(() => this.access.removeUser(ref));
  listKeys: EngineStore['listKeys'] = (id) => this.#up(() => this.access.listKeys(id));
  createKey: EngineStore['createKey'] = (request) => this.#up(() => this.access.createKey(request));
  revokeKey: EngineStore['revokeKey'] = (ref) => this.#up(() => this.access.revokeKey(ref));
  ready: EngineStore['ready'] = async () => ({ database: !this.outage, queue: this.queueWorks });
}

async function* cut(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 1_000) yield bytes.subarray(start, start + 1_000);
}

const NO_CALLS = { calls: 0, succeeded: 0, failed: 0, lost: 0 };
const NO_USE = { flows: [], isCut: false, calls: { day: NO_CALLS, week: NO_CALLS } };
/** By a worker that lives. */
const HELD = { workerId: '0192aaaa-0000-7000-8000-000000000001', isAlive: true, leftMs: 15_000 };
