import { checkAgentTools } from './check-agents.ts';
import { checkApproval } from './check-approval.ts';
import { type Suggest, TAKEN_PORTS } from './check-edges.ts';
import { checkRetry } from './check-retry.ts';
import { checkCachedFallback, checkTool } from './check-tools.ts';
import { checkWait } from './check-waits.ts';
import type { AgentNode, LlmNode, SwitchNode } from './document.ts';
import { errorAt, type Issue } from './issue.ts';
import type { FoundNode } from './read-scopes.ts';
import type { Registered } from './tool-declaration.ts';
import { checkUserSchema } from './user-schema.ts';

// Rules kept here: G5 a node's own configuration holds together.

/** Checks what a whole node says about itself. */
export function checkConfig(node: FoundNode, registered: Registered, suggest: Suggest): Issue[] {
  const { config, pointer } = node;
  return [
    ...checkRetry(config, pointer),
    ...checkCachedFallback(config, pointer, registered),
    ...(config.kind === 'llm' || config.kind === 'agent' ? checkModel(config, pointer, registered) : []),
    ...(config.kind === 'agent' ? checkAgentTools(config, pointer, registered, suggest) : []),
    ...(config.kind === 'tool' ? checkTool(config, pointer, registered, suggest) : []),
    ...(config.kind === 'switch' ? checkCases(config, pointer) : []),
    ...(config.kind === 'wait' ? checkWait(config, pointer) : []),
    ...(config.kind === 'approval' ? checkApproval(config, pointer) : []),
  ];
}

function checkModel(
  { model, output }: LlmNode | AgentNode,
  pointer: string,
  { models }: Registered,
): Issue[] {
  const issues: Issue[] = [];
  if (models && !models(model)) {
    const message = `There is no model "${model}"`;
    issues.push(
      errorAt(
        'model_unknown',
        `${pointer}/model`,
        message,
        'the models of this engine are listed by GET /v1/models',
      ),
    );
  }
  if (output?.schema !== undefined) {
    for (const issue of checkUserSchema(output.schema)) {
      issues.push({ ...issue, pointer: `${pointer}/output/schema${issue.pointer}` });
    }
  }
  return issues;
}

function checkCases({ cases }: SwitchNode, pointer: string): Issue[] {
  const seen = new Set<string>();
  return cases.flatMap(({ port }, at) => {
    const place = `${pointer}/cases/${at}/port`;
    if (TAKEN_PORTS.includes(port)) {
      return [
        errorAt(
          'port_reserved',
          place,
          `A case cannot be named "${port}": that name is kept for the ports a switch has anyway`,
        ),
      ];
    }
    if (seen.has(port))
      return [
        errorAt('port_duplicate', place, `Two cases are named "${port}"`, 'join their conditions with "or"'),
      ];
    seen.add(port);
    return [];
  });
}
