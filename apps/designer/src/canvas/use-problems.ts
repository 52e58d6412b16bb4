import type { ToolInfo } from '@pawl/api';
import type { FlowDocument, ToolDeclaration } from '@pawl/dag-core';
import { useEffect, useRef, useState } from 'react';
import type { Problem } from '../editor/index.ts';
import type { ProblemQuestion } from './problems-worker.ts';

const PAUSE_MS = 250;

/** What is wrong with a document, found in a worker after each pause. */
export function useProblems(
  document: FlowDocument,
  tools: readonly ToolInfo[] | undefined,
): readonly Problem[] {
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const worker = useRef<Worker>(undefined);
  const number = useRef(0);
  useEffect(() => {
    const made = new Worker(new URL('./problems-worker.ts', import.meta.url), { type: 'module' });
    made.onmessage = ({ data }: MessageEvent<{ number: number; problems: readonly Problem[] }>) => {
      if (data.number === number.current) setProblems(data.problems);
    };
    worker.current = made;
    return () => made.terminate();
  }, []);
  useEffect(() => {
    number.current += 1;
    const question: ProblemQuestion = {
      number: number.current,
      document,
      ...(tools && { tools: tools.map((tool) => ({ ...tool, input: tool.input ?? {} }) as ToolDeclaration) }),
    };
    const timer = setTimeout(() => worker.current?.postMessage(question), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [document, tools]);
  return problems;
}
