import type { Issue } from '@pawl/api';
import { canonicalJson, type FlowDocument, type Json, type JsonObject, sha256Hex } from '@pawl/dag-core';
import type { FlowDraft, FlowSummary, Version, VersionSummary } from '@pawl/run-store';
import type { EngineStore, FlowRef } from '../../src/http/engine-store.ts';
import { refusal } from './refusal.ts';

interface Flow {
  readonly name: string;
  document: Json;
  revision: number;
  pausedBy?: string | undefined;
  published?: string;
  readonly versions: Required<Version>[];
}
const AT = '2026-01-02T03:04:05.000Z';

/** Flows of all workspaces in memory; as strict as the real store about workspaces, revisions and versions. */
export class MemoryFlows {
  readonly #flows = new Map<string, Flow>();

  /** Problems that publishing finds; by default a node without an id is one. */
  issuesOf = (document: Json): Issue[] =>
    ((document as JsonObject).nodes as JsonObject[] | undefined)?.flatMap((node, index) =>
      node.id ? [] : [{ pointer: `/nodes/${index}/id`, code: 'id_missing', message: 'A node needs an id' }],
    ) ?? [{ pointer: '/nodes', code: 'nodes_missing', message: 'A flow needs nodes' }];

  #find(ref: FlowRef): Flow {
    const flow = this.#flows.get(`${ref.workspaceId} ${ref.flow}`);
    if (!flow)
      throw refusal('flow_not_found', `There is no flow ${ref.flow} in this workspace. List the flows.`);
    return flow;
  }

  list(workspaceId: string): FlowSummary[] {
    return [...this.#flows]
      .filter(([key]) => key.startsWith(`${workspaceId} `))
      .map(([, flow]) => summaryOf(flow))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  get = (ref: FlowRef): FlowDraft => draftOf(this.#find(ref));

  create({ workspaceId, flow: name, document }: FlowRef & { document: Json }): FlowDraft {
    const key = `${workspaceId} ${name}`;
    if (this.#flows.has(key))
      throw refusal('flow_exists', `There already is a flow ${name}. Save its draft.`);
    const flow = { name, document, revision: 1, versions: [] };
    this.#flows.set(key, flow);
    return draftOf(flow);
  }

  pause(request: FlowRef & { by: string }): FlowSummary {
    const flow = this.#find(request);
    flow.pausedBy ??= request.by;
    return summaryOf(flow);
  }

  resume(ref: FlowRef): FlowSummary {
    const flow = this.#find(ref);
    flow.pausedBy = undefined;
    return summaryOf(flow);
  }

  saveDraft(request: Parameters<EngineStore['saveDraft']>[0]): FlowDraft {
    const flow = this.#find(request);
    if (flow.revision !== request.expectedRevision)
      throw refusal(
        'draft_conflict',
        `The draft of ${flow.name} is at revision ${flow.revision}. Merge both.`,
        {
          expectedRevision: request.expectedRevision,
          currentRevision: flow.revision,
          current: flow.document,
          yours: request.document,
        },
      );
    flow.document = request.document;
    flow.revision += 1;
    return draftOf(flow);
  }

  publish(request: Parameters<EngineStore['publishFlow']>[0]): { version: VersionSummary; created: boolean } {
    if (request.document === undefined) this.#find(request);
    const document = request.document ?? this.#find(request).document;
    const issues = this.issuesOf(document);
    if (issues.length > 0)
      throw refusal('flow_invalid', `Flow ${request.flow} cannot be published. Correct it.`, { issues });
    if (!this.#flows.has(`${request.workspaceId} ${request.flow}`)) this.create({ ...request, document });
    const flow = this.#find(request);
    const id = sha256Hex(canonicalJson(document));
    const known = flow.versions.find((version) => version.id === id);
    flow.published = id;
    if (known) return { version: versionSummaryOf(known), created: false };
    const number = flow.versions.length + 1;
    const version = {
      id,
      flow: flow.name,
      number,
      createdAt: AT,
      document: document as unknown as FlowDocument,
    };
    flow.versions.unshift(version);
    return { version: versionSummaryOf(version), created: true };
  }

  versions = (ref: FlowRef): VersionSummary[] => this.#find(ref).versions.map(versionSummaryOf);

  version(ref: FlowRef & { version: string }): Version {
    const version = this.#find(ref).versions.find(({ id }) => id === ref.version);
    if (!version)
      throw refusal('version_not_found', `Flow ${ref.flow} has no version ${ref.version}. List them.`);
    return version;
  }

  toRun(ref: FlowRef & { version?: string }): Version {
    const id = ref.version ?? this.#find(ref).published;
    if (id === undefined)
      throw refusal('flow_not_published', `Flow ${ref.flow} has no published version. Publish it.`);
    return this.version({ ...ref, version: id });
  }
}

const summaryOf = ({ name, revision, published, pausedBy, versions }: Flow): FlowSummary => ({
  name,
  revision,
  ...(published && { publishedVersion: published }),
  versionCount: versions.length,
  ...(pausedBy !== undefined && { pausedAt: AT, pausedBy }),
  createdAt: AT,
  updatedAt: AT,
});
const draftOf = (flow: Flow): FlowDraft => ({ ...summaryOf(flow), document: flow.document });
const versionSummaryOf = ({ document: _document, ...summary }: Required<Version>): VersionSummary => summary;
