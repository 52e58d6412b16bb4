import type { JsonSchema } from '../json.ts';
import type {
  AgentCall,
  AgentNode,
  AgentQuestion,
  AgentTool,
  ApprovalNode,
  CallApproval,
  LlmMessage,
  LlmNode,
  NodeConfig,
  OnError,
  ToolNode,
} from './document.ts';
import type { GraphNode, GraphScope } from './graph-node.ts';

// Rules kept here: G11, K18: what nobody drew of an agent (the model call of a turn, and a call of each of its tools) stands in
// the compiled graph as nodes without edges, made once.

/** What the model calls a tool: as the flow says, else the tool's name with what a name may not hold as `_`. */
export function callNameOf(tool: AgentTool): string {
  if (tool.name !== undefined) return tool.name;
  if ('ask' in tool) return 'ask_person';
  return tool.tool
    .replace(/@.*$/, '')
    .replace(/[^A-Za-z0-9_-]/g, '_')
    .slice(0, 64);
}

/** The rule that says which calls of a tool a person must allow; undefined: none. */
export const approvalRuleOf = ({ approve }: AgentCall): CallApproval | undefined =>
  typeof approve === 'string' ? { when: approve } : approve;

/** The parts of an agent: the graph of one turn, which begins with its model call, and its tools by their names. */
export function agentParts(agent: GraphNode): {
  readonly body: GraphScope;
  readonly calls: ReadonlyMap<string, GraphNode>;
} {
  const config = agent.config as AgentNode;
  const scope = { container: agent, nodes: [] as GraphNode[], roots: [] as GraphNode[], leaves: [] };
  const standIn = (id: string, node: NodeConfig, tells?: true): GraphNode => ({
    id,
    config: node,
    inbound: [],
    outbound: [],
    scope,
    ...(agent.pool !== undefined && { pool: agent.pool }),
    ...(tells && { tells }),
  });
  const model = standIn('model', modelNode(config));
  scope.nodes.push(model);
  scope.roots.push(model);
  const calls = new Map(
    config.tools.map((tool) => {
      const name = callNameOf(tool);
      if ('ask' in tool) return [name, standIn(name, questionNode(name, tool), true)];
      const tells = tool.onError === 'fail' ? undefined : true;
      return [name, standIn(name, toolNode(name, tool, config), tells)];
    }),
  );
  return { body: scope, calls };
}

function modelNode(agent: AgentNode): LlmNode {
  const { model, system, prompt, parameters, output, retry, timeoutMs } = agent;
  const asked: readonly LlmMessage[] =
    typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : prompt;
  return {
    id: 'model',
    kind: 'llm',
    model,
    prompt: [...(system === undefined ? [] : [{ role: 'system' as const, content: system }]), ...asked],
    ...(parameters && { parameters }),
    ...(output && { output }),
    ...(retry && { retry }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...partOnError(agent),
  };
}

/** The answer to a question that says nothing about its form. */
const TEXT_ANSWER: JsonSchema = {
  type: 'object',
  required: ['answer'],
  properties: { answer: { type: 'string', minLength: 1 } },
};

/** What is asked is the model's to say; the rest is the flow's. */
function questionNode(id: string, { form, who, deadline, onDeadline }: AgentQuestion): ApprovalNode {
  return {
    id,
    kind: 'approval',
    subject: '',
    form: form ?? TEXT_ANSWER,
    ...(who && { who }),
    ...(deadline !== undefined && { deadline }),
    ...(onDeadline && { onDeadline }),
  };
}

function toolNode(id: string, { tool, args, retry, timeoutMs }: AgentCall, agent: AgentNode): ToolNode {
  return {
    id,
    kind: 'tool',
    tool,
    ...(args !== undefined && { args }),
    ...(retry && { retry }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...partOnError(agent),
  };
}

/** A part pauses where the agent says so, because a person can try a part again; every other word is for the agent as a whole. */
function partOnError({ onError }: AgentNode): { onError?: OnError } {
  if (!onError) return {};
  return { onError: { do: onError.do === 'pause' ? 'pause' : 'fail' } };
}
