import type { ToolInfo } from '@pawl/api';
import type { FlowDocument, ToolDeclaration } from '@pawl/dag-core';
import { useEffect, useRef, useState } from 'react';
import type { Problem } from '../editor/index.ts';
import { OneAtATime } from './one-at-a-time.ts';
import type { ProblemQuestion } from './problems-worker.ts';

const PAUSE_MS = 250;

/** What is wrong with a document, found in a worker after each pause. */
export function useProblems(
  document: FlowDocument,
  tools: readonly ToolInfo[] | undefined,
): readonly Problem[] {
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const line = useRef<OneAtATime<ProblemQuestion>>(undefined);
  const number = useRef(0);
  useEffect(() => {
    const made = new Worker(new URL('./problems-worker.ts', import.meta.url), { type: 'module' });
    const asking = new OneAtATime<ProblemQuestion>((question) => made.postMessage(question));
    made.onmessage = ({ data }: MessageEvent<{ number: number; problems: readonly Problem[] }>) => {
      if (data.number === number.current) setProblems(data.problems);
      asking.answered();
    };
    line.current = asking;
    return () => made.terminate();
  }, []);
  useEffect(() => {
    number.current += 1;
    const question: ProblemQuestion = {
      number: number.current,
      document,
      ...(tools && { tools: tools.map((tool) => ({ ...tool, input: tool.input ?? {} }) as ToolDeclaration) }),
    };
    const timer = setTimeout(() => line.current?.put(question), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [document, tools]);
  return problems;
}
