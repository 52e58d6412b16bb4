import { compileTemplate } from '../expression/index.ts';
import type { Suggest } from './check-edges.ts';
import type { FlowDocument } from './document.ts';
import { type FoundFlow, isOwnVersion, parseFlowRef } from './flow-ref.ts';
import { errorAt, type Issue } from './issue.ts';
import type { FoundNode } from './read-scopes.ts';
import type { Registered } from './tool-declaration.ts';
import { validateInput } from './user-schema.ts';

// Rules kept here: K12 the flow that a node runs exists, and takes the input that is known.

/** Checks which flow a node runs and with what. */
export function checkFlow(
  { config, pointer }: FoundNode,
  document: Readonly<Record<string, unknown>>,
  { flows }: Registered,
  suggest: Suggest,
): Issue[] {
  if (config.kind !== 'flow') return [];
  const ref = parseFlowRef(config.flow)!;
  if (isOwnVersion(ref, document.name))
    return checkInput(config.input, pointer, config.flow, document.input as FlowDocument['input']);
  if (ref.version === 'self') {
    const message = `The node "${config.id}" runs ${config.flow}, but this flow is called "${String(document.name)}"`;
    return [errorAt('flow_unknown', `${pointer}/flow`, message, 'only a flow itself is meant by @self')];
  }
  if (!flows) return [];
  const found = flows.get(config.flow) ?? { missing: 'flow' };
  if ('missing' in found) {
    const known = [...flows.keys()].flatMap((each) => parseFlowRef(each)?.name ?? []);
    return [missingIssue(config.flow, ref.name, `${pointer}/flow`, found, suggest(ref.name, known))];
  }
  return checkInput(config.input, pointer, config.flow, found.input);
}

function missingIssue(
  flow: string,
  name: string,
  pointer: string,
  { missing }: Extract<FoundFlow, { missing: string }>,
  near: string | undefined,
): Issue {
  switch (missing) {
    case 'flow':
      return errorAt('flow_unknown', pointer, `There is no flow "${name}" in this workspace`, near);
    case 'published_version':
      return errorAt(
        'flow_unknown',
        pointer,
        `The flow "${name}" has no published version`,
        'publish it first',
      );
    case 'version':
      return errorAt(
        'flow_unknown',
        pointer,
        `There is no version ${flow.slice(name.length + 1)} of the flow "${name}"`,
        `see them: pawl flow versions ${name}`,
      );
  }
}

/** Input known when the flow is drawn is checked like that of a start; the rest when it is known. */
function checkInput(
  given: Extract<FoundNode['config'], { kind: 'flow' }>['input'],
  pointer: string,
  flow: string,
  schema: FlowDocument['input'],
): Issue[] {
  const input = given ?? {};
  if (schema === undefined || !compileTemplate(input).isConstant) return [];
  return validateInput(schema, input).issues.map((issue) => ({
    ...issue,
    code: 'args_invalid',
    pointer: `${pointer}/input${issue.pointer}`,
    message: `${flow}: ${issue.message}`,
  }));
}
