import { type FlowDocument, type Issue, quoteName } from '@pawl/dag-core';
import { pointerParts, valueAt } from '../document/json-path.ts';

/** What would mend a problem: another text at its place. */
export interface Fix {
  readonly text: string;
  /** The part of it that is new. */
  readonly instead: string;
}

/** Settings that are one name, and nothing beside it. */
const NAMES = new Set(['tool_unknown', 'flow_unknown', 'model_unknown']);

/** The way out that an issue names, where it is a text to be written at its place. */
export function findFix(document: FlowDocument, issue: Issue): Fix | undefined {
  const { code, pointer, position, hint = '' } = issue;
  const text = valueAt(document, pointerParts(pointer));
  if (typeof text !== 'string') return undefined;
  const conversion = code === 'type_mismatch' ? /^write (\{\{ .+ \}\})$/.exec(hint)?.[1] : undefined;
  if (conversion !== undefined) return { text: conversion, instead: conversion };
  const meant = /^did you mean "(.+)"\?$/.exec(hint)?.[1];
  if (meant === undefined) return undefined;
  if (NAMES.has(code)) return { text: meant, instead: meant };
  if (code !== 'reference_unknown_node' || position === undefined) return undefined;
  const read = text.slice(position);
  const renamed = read.replace(/^(nodes\s*\.\s*)(?:`[^`]*`|[\w-]+)/, (_, root) => root + quoteName(meant));
  return renamed === read ? undefined : { text: text.slice(0, position) + renamed, instead: meant };
}
