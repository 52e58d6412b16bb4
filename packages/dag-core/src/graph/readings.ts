import type { Reference } from '../expression/index.ts';
import { compileField, templatesOf } from './check-references.ts';
import type { NodeConfig } from './document.ts';

/**
 * Everything that the expressions of a node read, pointers inside the node; of a broken node what can be read. What the nodes of
 * its body read is theirs.
 */
export const readingsOf = (config: NodeConfig): Reference[] =>
  templatesOf({ config, isBroken: true }).flatMap((field) =>
    compileField(field).references.map((each) => ({ ...each, pointer: field.pointer + each.pointer })),
  );
