import type { FlowDocument } from '@pawl/dag-core';
import { everyNode, idsOf } from '../document/graph.ts';
import { applyPatches, patchesBetween, shareWith } from '../document/patch.ts';
import { addNode } from './add-node.ts';
import { arrange, draw, setLook } from './drawings.ts';
import { connect, disconnect, reconnect } from './edges.ts';
import { labelOf } from './label.ts';
import type { ApplyPatches, Label, Operation } from './operation.ts';
import { type Changed, isRefused, refuse } from './refusal.ts';
import { removeNodes } from './remove-nodes.ts';
import type { Rewrite } from './rewrite.ts';
import { setFlowSetting, setSetting } from './settings.ts';
import { wrap } from './wrap.ts';

// Rules kept here: D1 every operation has an inverse that restores the document byte for byte; D2 what it does not touch keeps its
// identity; D3 what it refuses it does not half do.

/** What became of an operation that was not refused. */
export interface Applied {
  readonly document: FlowDocument;
  /** Leads back; without patches nothing was changed. */
  readonly inverse: ApplyPatches;
  readonly label: Label;
  /** Ids of nodes that are new, in order: what a person wants to see selected. */
  readonly made: readonly string[];
}

/**
 * Does an operation, or says why not. Whatever is not touched is shared with the document before.
 *
 * @param rewrite what does the operations that write expressions anew; without it they are refused
 */
export function apply(document: FlowDocument, operation: Operation, rewrite?: Rewrite): Changed<Applied> {
  const changed = perform(document, operation, rewrite);
  if (isRefused(changed)) return changed;
  return {
    document: changed,
    inverse: { do: 'patch', patches: patchesBetween(changed, document) },
    label: labelOf(operation),
    made: changed === document || !MAKES_NODES.has(operation.do) ? [] : madeBetween(document, changed),
  };
}

const MAKES_NODES: ReadonlySet<Operation['do']> = new Set(['addNode', 'paste', 'duplicate', 'wrap']);

function madeBetween(before: FlowDocument, after: FlowDocument): string[] {
  const old = idsOf(before);
  return [...everyNode(after)].map(({ node }) => node.id).filter((id) => !old.has(id));
}

function perform(
  document: FlowDocument,
  operation: Operation,
  rewrite: Rewrite | undefined,
): Changed<FlowDocument> {
  switch (operation.do) {
    case 'addNode':
      return addNode(document, operation);
    case 'removeNodes':
      return removeNodes(document, operation);
    case 'connect':
      return connect(document, operation);
    case 'disconnect':
      return disconnect(document, operation);
    case 'reconnect':
      return reconnect(document, operation);
    case 'setSetting':
      return setSetting(document, operation);
    case 'setFlowSetting':
      return setFlowSetting(document, operation);
    case 'arrange':
      return arrange(document, operation);
    case 'setLook':
      return setLook(document, operation);
    case 'draw':
      return draw(document, operation);
    case 'wrap':
      return wrap(document, operation);
    case 'renameNode':
    case 'paste':
    case 'duplicate':
      return rewrite ? rewrite(document, operation) : refuse({ code: 'rewrite_missing' });
    case 'replace':
      return shareWith(document, operation.document);
    case 'patch':
      return applyPatches(document, operation.patches);
  }
}
