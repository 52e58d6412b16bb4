import type { ToolInfo } from '@pawl/api';
import type { FlowDocument, Registered, ToolDeclaration } from '@pawl/dag-core';
import { useContext, useMemo } from 'react';
import { everyNode, lookOf } from '../../../editor/index.ts';
import type { AtHand } from '../../../testing/choices.ts';
import { ToolsContext } from '../canvas-node.tsx';
import { useRecorded } from './use-earlier-runs.ts';

/** What a test of a draft can be given, with what an earlier run recorded, and which tools there are. */
export function useAtHand(
  document: FlowDocument,
  runId: string | undefined,
): { readonly atHand: AtHand; readonly registered: Registered } {
  const tools = useContext(ToolsContext);
  const recorded = useRecorded(runId);
  const pinned = useMemo(
    () =>
      new Set(
        [...everyNode(document)].flatMap(({ node }) => (lookOf(document, node.id).pin ? [node.id] : [])),
      ),
    [document],
  );
  const atHand = useMemo(() => ({ pinned, recorded }), [pinned, recorded]);
  const registered = useMemo(() => ({ tools: declarationsOf(tools) }), [tools]);
  return { atHand, registered };
}

const declarationsOf = (tools: ReadonlyMap<string, ToolInfo>): ReadonlyMap<string, ToolDeclaration> =>
  new Map([...tools].map(([id, tool]) => [id, { ...tool, input: tool.input ?? {} } as ToolDeclaration]));
