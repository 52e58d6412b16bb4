import type { JsonSchema, Template } from '@pawl/dag-core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { completionsFor } from '../../../inspecting/completions.ts';
import { whatCanBeRead } from '../../../inspecting/readable.ts';
import type { Preview } from '../../../inspecting/recorded/preview.ts';
import type { Trouble } from '../../../inspecting/recorded/questions.ts';
import type { TroubleError } from '../../../inspecting/recorded/recorded-reader.ts';
import { standpointAt } from '../../../inspecting/standpoint.ts';
import type { Wanted, Written } from '../../../inspecting/wanted.ts';
import { nodeRunPath, scopePathOf, useInspected } from './inspecting.ts';

/** Typing goes on for this long before a value is asked for again. */
const PAUSE_MS = 250;

/** What can be written in the setting at a pointer, with samples of the chosen run. */
export function useCompletions(pointer: string, written: Written) {
  const { document, node, graph, tools, record } = useInspected();
  const standpoint = useMemo(() => standpointAt(node, pointer), [node, pointer]);
  return useCallback(
    (wanted: Wanted) => {
      const readable = whatCanBeRead(document, node.id, standpoint, tools as never);
      const { reader, runId, item } = record;
      const inside = standpoint.isPerItem ? [...graph, node.id] : graph;
      const scopePath = scopePathOf(inside, item);
      return completionsFor(wanted, written, readable, async (paths) =>
        runId === undefined
          ? paths.map(() => undefined)
          : reader.ask({ ask: 'look', runId, scopePath, paths }).catch(() => paths.map(() => undefined)),
      );
    },
    [document, node, graph, tools, record, standpoint, written],
  );
}

/** What a template gives on the chosen run. */
export function usePreview(
  pointer: string,
  template: Template | undefined,
  as: 'value' | 'text' | 'expression',
  schema?: JsonSchema,
): { readonly preview?: Preview | undefined; readonly trouble?: Trouble | undefined } {
  const { node, graph, record } = useInspected();
  const { reader, runId, item } = record;
  const { isPerItem } = standpointAt(node, pointer);
  const scopePath = scopePathOf(isPerItem ? [...graph, node.id] : graph, item);
  const asked = usePaused(template);
  const { data, error } = useQuery({
    queryKey: ['preview', runId, scopePath, as, asked, schema],
    queryFn: () => reader.ask({ ask: 'evaluate', runId: runId!, scopePath, template: asked!, as, schema }),
    enabled: runId !== undefined && asked !== undefined && asked === template,
    retry: false,
    gcTime: 30_000,
    placeholderData: (before) => before,
  });
  return { preview: error ? undefined : data, trouble: (error as TroubleError | null)?.trouble };
}

/** A value, once it has not changed for a moment. */
function usePaused<T>(value: T): T {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}

/** What the node was given and gave in the chosen run. */
export function useNodeRun() {
  const inspected = useInspected();
  const { reader, runId } = inspected.record;
  const path = nodeRunPath(inspected);
  const { data, error, isPending } = useQuery({
    queryKey: ['inspected node run', runId, path],
    queryFn: () => reader.ask({ ask: 'nodeRun', runId: runId!, path }),
    enabled: runId !== undefined,
    retry: false,
  });
  return { nodeRun: data, trouble: (error as TroubleError | null)?.trouble, isPending };
}
