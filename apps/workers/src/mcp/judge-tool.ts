import { createHash } from 'node:crypto';
import type { Tool as McpTool } from '@modelcontextprotocol/sdk/types.js';
import { canonicalJson, type EffectClass, type Json } from '@pawl/dag-core';
import type { Confirmation } from './config.ts';

// Rules kept here (decision 0043):
// M1 What a server says of its own tool is a proposal: read-only proposes pure, idempotent proposes idempotent, anything else
//    and nothing at all non-repeatable.
// M2 A tool is non-repeatable until a person has confirmed another class.
// M3 A confirmation is of one definition. When any of it changes, the confirmation has lapsed.

/** What a server says of a tool; absent: it does not say. */
interface Hints {
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  readonly openWorld?: boolean;
}

/** By which class a tool of a server is called, and how that came about. */
export interface Judged {
  /** SHA-256 (hex) of everything that the server says of the tool. */
  readonly definition: string;
  readonly hints: Hints;
  readonly proposed: EffectClass;
  readonly effect: EffectClass;
  /** What a person said of this definition. */
  readonly confirmed?: EffectClass;
  /** What a person said of another definition, which counts no more. */
  readonly lapsed?: EffectClass;
}

/** Decides the class of a tool. @throws {Error} when its definition cannot be hashed */
export function judgeTool(tool: McpTool, said: Confirmation | undefined): Judged {
  const hints = hintsOf(tool);
  const definition = digestOf(tool);
  const proposed = proposedBy(hints);
  if (!said) return { definition, hints, proposed, effect: 'non_repeatable' };
  return said.definition === definition
    ? { definition, hints, proposed, effect: said.effect, confirmed: said.effect }
    : { definition, hints, proposed, effect: 'non_repeatable', lapsed: said.effect };
}

/** M1. By the protocol, idempotent and destructive mean something only of what is not read-only. */
function proposedBy({ readOnly, idempotent }: Hints): EffectClass {
  if (readOnly) return 'pure';
  return idempotent ? 'idempotent' : 'non_repeatable';
}

function hintsOf({ annotations = {} }: McpTool): Hints {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  return {
    ...(readOnlyHint !== undefined && { readOnly: readOnlyHint }),
    ...(destructiveHint !== undefined && { destructive: destructiveHint }),
    ...(idempotentHint !== undefined && { idempotent: idempotentHint }),
    ...(openWorldHint !== undefined && { openWorld: openWorldHint }),
  };
}

/** M3: what people and models go by when they decide about a tool. Icons and `_meta` are not. */
function digestOf({ name, title, description, inputSchema, outputSchema, annotations }: McpTool): string {
  const said = { name, title, description, inputSchema, outputSchema, annotations };
  return createHash('sha256')
    .update(canonicalJson(JSON.parse(JSON.stringify(said)) as Json))
    .digest('hex');
}
