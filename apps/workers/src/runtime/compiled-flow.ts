import {
  type AgentTool,
  approvalRuleOf,
  type CompiledTemplate,
  callNameOf,
  compileExpression,
  compileTemplate,
  type FlowGraph,
  type GraphNode,
  type Json,
  type Reference,
} from '@pawl/dag-core';

/** A template with the nodes it reads. */
export interface NodeTemplate {
  readonly compiled: CompiledTemplate;
  readonly nodes: readonly GraphNode[];
}

/** The templates of one node, compiled once per version. */
export interface CompiledNode {
  readonly args?: NodeTemplate;
  readonly value?: NodeTemplate;
  readonly cases?: readonly { readonly port: string; readonly when: NodeTemplate }[];
  readonly over?: NodeTemplate;
  readonly itemOutput?: NodeTemplate;
  /** Of a wait: gives a duration. */
  readonly for?: NodeTemplate;
  /** Of a wait: gives an instant. Of a loop or an agent: whether it ends. */
  readonly until?: NodeTemplate;
  /** Of a signal: which one, and of one that is sent what it carries and to whom. */
  readonly key?: NodeTemplate;
  readonly payload?: NodeTemplate;
  readonly to?: NodeTemplate;
  /** Of an approval: what is shown, filled in already, and filled in by the deadline. */
  readonly subject?: NodeTemplate;
  readonly details?: NodeTemplate;
  readonly values?: NodeTemplate;
  readonly deadlineValues?: NodeTemplate;
  /** Gives a duration or an instant. */
  readonly deadline?: NodeTemplate;
  readonly messages?: readonly {
    readonly role: 'system' | 'user' | 'assistant';
    readonly content: NodeTemplate;
  }[];
  /** Of an agent: by the names of its tools, which calls a person must allow, and the time there is for an answer. */
  readonly approvals?: ReadonlyMap<string, CompiledApproval>;
  /** Of a code node: the nodes its source names. */
  readonly reads?: readonly GraphNode[];
}

/** When a person must allow a call. */
export interface CompiledApproval {
  readonly when: NodeTemplate;
  readonly deadline?: NodeTemplate;
}

/** The templates of a flow. */
export interface CompiledFlow {
  node(node: GraphNode): CompiledNode;
  readonly output: NodeTemplate | undefined;
}

const compiledFlows = new WeakMap<FlowGraph, CompiledFlow>();

/** The compiled templates of a graph; made on first use, node by node. */
export function compiledFlow(graph: FlowGraph): CompiledFlow {
  const found = compiledFlows.get(graph);
  if (found) return found;
  const nodes = new Map<GraphNode, CompiledNode>();
  const { output } = graph.document;
  const flow: CompiledFlow = {
    node(node) {
      const compiled = nodes.get(node) ?? compileNode(graph, node);
      nodes.set(node, compiled);
      return compiled;
    },
    output: output === undefined ? undefined : withNodes(graph, compileTemplate(output)),
  };
  compiledFlows.set(graph, flow);
  return flow;
}

function compileNode(graph: FlowGraph, node: GraphNode): CompiledNode {
  const { config } = node;
  const template = (value: Json) => withNodes(graph, compileTemplate(value));
  const text = (value: string) => withNodes(graph, compileTemplate(value, { text: true }));
  switch (config.kind) {
    case 'tool':
      return { args: template(config.args ?? {}) };
    case 'flow':
      return config.input === undefined ? {} : { value: template(config.input) };
    case 'transform':
      return { value: template(config.value) };
    case 'switch':
      return {
        cases: config.cases.map(({ port, when }) => ({
          port,
          when: withNodes(graph, compileExpression(when)),
        })),
      };
    case 'map':
      return {
        over: template(config.over),
        ...(config.output !== undefined && { itemOutput: template(config.output) }),
      };
    case 'loop':
      return {
        until: withNodes(graph, compileExpression(config.until)),
        ...(config.output !== undefined && { itemOutput: template(config.output) }),
      };
    case 'agent':
      return {
        ...(config.stop !== undefined && { until: withNodes(graph, compileExpression(config.stop)) }),
        ...(config.output?.value !== undefined && { value: template(config.output.value) }),
        approvals: new Map(config.tools.flatMap((tool) => approvalOf(graph, tool))),
      };
    case 'wait':
      return {
        ...(config.signal?.key !== undefined && { key: text(config.signal.key) }),
        ...(config.deadline !== undefined && { deadline: template(config.deadline) }),
        ...(config.for !== undefined && { for: template(config.for) }),
        ...(config.until !== undefined && { until: template(config.until) }),
      };
    case 'emit':
      return {
        ...(config.signal.key !== undefined && { key: text(config.signal.key) }),
        ...(config.payload !== undefined && { payload: template(config.payload) }),
        ...(config.to !== undefined && { to: text(config.to) }),
      };
    case 'approval': {
      const optional = (name: 'values' | 'deadline' | 'deadlineValues') => {
        const value = config[name];
        return value === undefined ? {} : { [name]: template(value) };
      };
      return {
        subject: text(config.subject),
        ...(config.details !== undefined && { details: text(config.details) }),
        ...optional('values'),
        ...optional('deadline'),
        ...optional('deadlineValues'),
      };
    }
    case 'llm': {
      const prompt =
        typeof config.prompt === 'string'
          ? [{ role: 'user' as const, content: config.prompt }]
          : config.prompt;
      return { messages: prompt.map(({ role, content }) => ({ role, content: text(content) })) };
    }
    case 'code':
      return { reads: [...upstream(node)].filter(({ id }) => new RegExp(`\\b${id}\\b`).test(config.source)) };
    default:
      return {};
  }
}

function approvalOf(graph: FlowGraph, tool: AgentTool): [string, CompiledApproval][] {
  const rule = 'ask' in tool ? undefined : approvalRuleOf(tool);
  if (!rule) return [];
  const { when, deadline } = rule;
  return [
    [
      callNameOf(tool),
      {
        when: withNodes(graph, compileExpression(when)),
        ...(deadline !== undefined && { deadline: withNodes(graph, compileTemplate(deadline)) }),
      },
    ],
  ];
}

function withNodes(graph: FlowGraph, compiled: CompiledTemplate): NodeTemplate {
  const ids = new Set(
    compiled.references.flatMap((reference: Reference) => (reference.node ? [reference.node] : [])),
  );
  return { compiled, nodes: [...ids].flatMap((id) => graph.nodes.get(id) ?? []) };
}

/** Every node that ends before `node` starts: its ancestors, and those of the containers around it. */
function upstream(node: GraphNode, found = new Set<GraphNode>()): Set<GraphNode> {
  for (const { from } of node.inbound) {
    if (found.has(from)) continue;
    found.add(from);
    upstream(from, found);
  }
  if (node.scope.container) upstream(node.scope.container, found);
  return found;
}
