import type { Client } from '@pawl/api';
import { type FlowDocument, type FlowNode, type FlowRef, parseFlowRef } from '@pawl/dag-core';
import { findNode } from '../editor/index.ts';

/** What of the API is asked. */
export type Versions = Pick<Client, 'getFlow' | 'listVersions' | 'getVersion'>;

/** A flow that a node of another one runs: the node, and what it runs. */
export interface FollowedFlow {
  readonly node: FlowNode;
  readonly flow: string;
  /** Absent: the draft it stands in, of a flow that runs itself. */
  readonly version?: { readonly id: string; readonly number: number };
  readonly document: FlowDocument;
}

/** Why a way into sub-flows ends: at which node of the way, and what is missing. */
export class WayEnds extends Error {
  readonly missing: 'node' | 'name' | 'published' | 'version';
  readonly step: string;
  /** The flow that is meant, where there is a name of one. */
  readonly flow: string | undefined;

  constructor(missing: WayEnds['missing'], step: string, flow?: string) {
    super(`The way into sub-flows ends at ${step}: no ${missing}.`);
    this.missing = missing;
    this.step = step;
    this.flow = flow;
  }
}

/**
 * Follows a way into sub-flows.
 *
 * @param steps ids of `flow` nodes: one of the document, one of what it runs, and so on
 * @returns what each of them runs
 * @throws {WayEnds} where one of them is not there, or runs nothing that can be shown
 */
export async function followFlows(
  api: Versions,
  document: FlowDocument,
  steps: readonly string[],
): Promise<FollowedFlow[]> {
  const followed: FollowedFlow[] = [];
  let here: Pick<FollowedFlow, 'flow' | 'document' | 'version'> = { flow: document.name, document };
  for (const step of steps) {
    const node = findNode(here.document, step)?.node;
    if (node?.kind !== 'flow') throw new WayEnds('node', step);
    const ref = parseFlowRef(node.flow);
    if (!ref) throw new WayEnds('name', step);
    const isItself = ref.version === 'self' && ref.name === here.document.name;
    here = isItself ? here : await load(api, ref, step);
    followed.push({ node, ...here });
  }
  return followed;
}

async function load(api: Versions, ref: FlowRef, step: string): Promise<Omit<FollowedFlow, 'node'>> {
  const params = { flow: ref.name };
  const [{ publishedVersion }, { items }] = await Promise.all([
    api.getFlow({ params }),
    api.listVersions({ params }),
  ]);
  const { version } = ref;
  const meant =
    typeof version === 'object'
      ? items.find(({ id, number }) => ('id' in version ? id === version.id : number === version.number))
      : items.find(({ id }) => id === publishedVersion);
  if (!meant) throw new WayEnds(typeof version === 'object' ? 'version' : 'published', step, ref.name);
  const { document } = await api.getVersion({ params: { ...params, versionId: meant.id } });
  return {
    flow: ref.name,
    version: { id: meant.id, number: meant.number },
    document: document as unknown as FlowDocument,
  };
}
