import { type FlowDocument, KnownTemplates, type ToolDeclaration } from '@pawl/dag-core';
import { findProblems } from '../editor/index.ts';

/** What is checked, and what is registered; without tools those of the flow are not checked. */
export interface ProblemQuestion {
  readonly number: number;
  readonly document: FlowDocument;
  readonly tools?: readonly ToolDeclaration[];
}

const known = new KnownTemplates();

// Schemas are compiled to functions while a flow is checked, which the page itself must not do.
self.onmessage = ({ data: { number, document, tools } }: MessageEvent<ProblemQuestion>) => {
  const byId = tools && new Map(tools.map((tool) => [`${tool.name}@${tool.version}`, tool]));
  self.postMessage({ number, problems: findProblems(document, byId ? { tools: byId, known } : { known }) });
};
