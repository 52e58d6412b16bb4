import { canonicalJson } from '../canonical/canonical-json.ts';
import { sha256Hex } from '../canonical/sha256.ts';
import type { Json, JsonObject } from '../json.ts';
import { bodyOf, type FlowDocument, type NodeConfig } from './document.ts';

// Rules kept here: G9 a version is named by what changes a run, and by nothing else.

/**
 * The name of a version: SHA-256 (hex) of the canonical JSON (RFC 8785) of the document without `layout`, titles and
 * descriptions, those of inner nodes included. The same graph has the same name wherever it is computed.
 */
export function versionId(document: FlowDocument): string {
  const { layout: _layout, title: _title, description: _description, ...rest } = document;
  return sha256Hex(canonicalJson({ ...rest, nodes: rest.nodes.map(bareNode) } as unknown as Json));
}

function bareNode(node: NodeConfig): Json {
  const { title: _title, ...rest } = node;
  const body = bodyOf(node);
  return {
    ...rest,
    ...(body && { body: { ...body, nodes: body.nodes.map(bareNode) } }),
  } as unknown as JsonObject;
}
