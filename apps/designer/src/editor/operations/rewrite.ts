import type { FlowDocument } from '@pawl/dag-core';
import type { Rewriting } from './operation.ts';
import { duplicate, paste } from './paste.ts';
import type { Changed } from './refusal.ts';
import { renameNode } from './rename-node.ts';

/** Does an operation that writes expressions anew. What reads expressions is large: a page can load it after the rest. */
export function rewrite(document: FlowDocument, operation: Rewriting): Changed<FlowDocument> {
  switch (operation.do) {
    case 'renameNode':
      return renameNode(document, operation);
    case 'paste':
      return paste(document, operation);
    case 'duplicate':
      return duplicate(document, operation);
  }
}

export type Rewrite = typeof rewrite;
