import { type EdgeConfig, type Issue, validateFlow } from '../../src/index.ts';

type Fields = Record<string, unknown>;

/** A transform node with a constant value, or whatever `fields` say. */
export const node = (id: string, fields: Fields = {}): Fields =>
  'kind' in fields ? { id, ...fields } : { id, kind: 'transform', value: 1, ...fields };

/** `a -> b`, `a:port -> b`. */
function edge(text: string): EdgeConfig {
  const [source = '', to = ''] = text.split('->').map((part) => part.trim());
  const [from = '', port] = source.split(':');
  return port === undefined ? { from, to } : { from, port, to };
}

export const edges = (...texts: string[]): EdgeConfig[] => texts.map(edge);

export const map = (id: string, nodes: Fields[], inner: EdgeConfig[] = [], fields: Fields = {}): Fields => ({
  id,
  kind: 'map',
  over: '{{ input.items }}',
  body: { nodes, edges: inner },
  ...fields,
});

export const loop = (id: string, nodes: Fields[], inner: EdgeConfig[] = [], fields: Fields = {}): Fields => ({
  id,
  kind: 'loop',
  until: 'index = 2',
  body: { nodes, edges: inner },
  ...fields,
});

export const flow = (nodes: Fields[], drawn: EdgeConfig[] = [], fields: Fields = {}): Fields => ({
  format: 'pawl/1',
  name: 'test-flow',
  nodes,
  edges: drawn,
  ...fields,
});

/** `code pointer`, in order. */
export const problems = (document: unknown, options = {}): string[] =>
  validateFlow(document, options).issues.map((issue) => `${issue.code} ${issue.pointer}`);

/** The only issue; fails when there are none or more. */
export function onlyIssue(document: unknown, options = {}): Issue {
  const { issues } = validateFlow(document, options);
  if (issues.length !== 1) throw new Error(`expected one issue, found ${JSON.stringify(issues, null, 2)}`);
  return issues[0] as Issue;
}
