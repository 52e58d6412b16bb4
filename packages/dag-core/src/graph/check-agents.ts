import { pointerTo } from '../canonical/json-pointer.ts';
import { approvalRuleOf, callNameOf } from './agent-graph.ts';
import type { Suggest } from './check-edges.ts';
import { checkRetry } from './check-retry.ts';
import { unknownArgs, unknownTool } from './check-tools.ts';
import { checkDeadline } from './check-waits.ts';
import type { AgentCall, AgentNode, AgentQuestion, AgentTool, Template } from './document.ts';
import { errorAt, type Issue } from './issue.ts';
import { isRecord } from './read-scopes.ts';
import type { Registered, ToolDeclaration } from './tool-declaration.ts';
import { checkUserSchema } from './user-schema.ts';

// Rules kept here: K18 each tool of an agent exists, can be called by a model, and has a name of its own.

/** Checks the tools of an agent. */
export function checkAgentTools(
  config: AgentNode,
  pointer: string,
  registered: Registered,
  suggest: Suggest,
) {
  const names = new Map<string, number>();
  return config.tools.flatMap((tool, at): Issue[] => {
    const place = pointerTo(`${pointer}/tools`, at);
    const name = callNameOf(tool);
    const first = names.get(name);
    names.set(name, first ?? at);
    return [
      ...(first === undefined ? [] : [nameTaken(name, place, tool, first)]),
      ...('ask' in tool ? checkQuestion(tool, place) : checkCall(tool, place, registered, suggest)),
    ];
  });
}

function nameTaken(name: string, place: string, { name: given }: AgentTool, first: number): Issue {
  const message = `The model already knows tool ${first} of this agent as "${name}"`;
  const at = given === undefined ? place : `${place}/name`;
  return errorAt('tool_name_taken', at, message, 'give one of them a name of its own');
}

function checkQuestion({ form, deadline, onDeadline }: AgentQuestion, place: string): Issue[] {
  const issues = form === undefined ? [] : checkUserSchema(form);
  return [
    ...issues.map((issue) => ({ ...issue, pointer: `${place}/form${issue.pointer}` })),
    ...checkDeadlines(place, deadline, onDeadline),
  ];
}

function checkCall(tool: AgentCall, place: string, registered: Registered, suggest: Suggest): Issue[] {
  const rule = approvalRuleOf(tool);
  return [
    ...checkRetry(tool, place),
    ...checkTool(tool, place, registered, suggest),
    ...checkDeadlines(`${place}/approve`, rule?.deadline, rule?.onDeadline),
  ];
}

/** A consequence has its deadline, and one that is known can be waited for. */
function checkDeadlines(
  place: string,
  deadline: Template | undefined,
  onDeadline: string | undefined,
): Issue[] {
  const issues = checkDeadline(deadline, `${place}/deadline`);
  if (onDeadline === undefined || deadline !== undefined) return issues;
  const message = 'This says what follows a deadline, but has none';
  return [
    ...issues,
    errorAt('approval_invalid', `${place}/onDeadline`, message, 'write deadline, or leave this out'),
  ];
}

function checkTool(tool: AgentCall, place: string, { tools }: Registered, suggest: Suggest): Issue[] {
  if (!tools) return [];
  const declaration = tools.get(tool.tool);
  if (!declaration) return [unknownTool(tool.tool, place, tools, suggest)];
  const { input } = declaration;
  if (!takesObject(declaration)) {
    const message = `A model cannot call ${tool.tool}: its arguments are no object`;
    return [errorAt('tool_not_callable', `${place}/tool`, message, 'use it in a node of its own')];
  }
  const args = tool.args ?? {};
  return isRecord(args) && typeof input !== 'boolean'
    ? unknownArgs(tool.tool, place, args, input, suggest)
    : [];
}

/** Models give arguments as an object; a schema that says nothing about its type takes one. */
function takesObject({ input }: ToolDeclaration): boolean {
  if (typeof input === 'boolean') return input;
  const { type } = input;
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
}
