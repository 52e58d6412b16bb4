import { pointerParts } from '../canonical/json-pointer.ts';
import { quoteName } from '../expression/find-references.ts';
import {
  type CompiledTemplate,
  compileExpression,
  compileTemplate,
  type Reference,
  type ScopeRoot,
  type TemplateIssue,
} from '../expression/index.ts';
import type { Json } from '../json.ts';
import { isKindName, kindOf, type TemplateField } from '../kinds/index.ts';
import { placeOf, type Suggest } from './check-edges.ts';
import type { Template } from './document.ts';
import { errorAt, type Issue } from './issue.ts';
import type { FoundNode, FoundScope } from './read-scopes.ts';
import type { Order } from './upstream.ts';

// Rules kept here: X2 item and index exist inside maps and loops only; X3 a reference names a node that settles before; V13 secrets
// are read only where they are allowed.

/** What reference checks need to know about the document. */
export interface ReferenceWorld {
  readonly byId: ReadonlyMap<string, FoundNode>;
  /** Absent for a graph with cycles: nothing can be said there. */
  readonly orders: ReadonlyMap<FoundScope, Order>;
  readonly suggest: Suggest;
  readonly compile: (field: TemplateField) => CompiledTemplate;
}

/** Where a template stands: in a node, in what a map or loop evaluates per item, or in the document itself. */
interface Standpoint {
  readonly scope: FoundScope;
  /** Absent: after every node of `scope`. */
  readonly before?: FoundNode;
  readonly secretsAllowed: boolean;
  /** Roots that exist here beside those that exist everywhere. */
  readonly roots?: readonly ScopeRoot[];
}

/** Checks every template of a node; of a broken one those that can be read. */
export function checkNodeTemplates(node: FoundNode, world: ReferenceWorld): Issue[] {
  return templatesOf(node).flatMap((field) => {
    const isPerItem = field.scope === 'item' && node.body !== undefined;
    const standpoint: Standpoint = {
      scope: isPerItem ? (node.body as FoundScope) : node.scope,
      before: isPerItem ? undefined : node,
      secretsAllowed: field.allow === 'secrets',
      ...(field.reads && { roots: field.reads }),
    };
    return checkCompiled(
      world.compile(field),
      node.pointer + field.pointer,
      valueAt(field),
      standpoint,
      world,
    );
  });
}

export function templatesOf({
  config,
  isBroken,
}: Pick<FoundNode, 'config' | 'isBroken'>): readonly TemplateField[] {
  if (!isBroken) return kindOf(config).templates(config);
  if (!isKindName(String(config.kind))) return [];
  try {
    return kindOf(config)
      .templates(config)
      .filter(
        ({ template, as }) => template !== undefined && (as === 'value' || typeof template === 'string'),
      );
  } catch {
    return []; // the kind tripped over what the schema has already reported
  }
}

/** Checks the template of the run output, which is filled after every node. */
export function checkOutputTemplate(output: Template, scope: FoundScope, world: ReferenceWorld): Issue[] {
  return checkCompiled(compileTemplate(output), '/output', output, { scope, secretsAllowed: false }, world);
}

/** Compiles a template field the way its kind says. */
export const compileField = (field: TemplateField): CompiledTemplate =>
  field.as === 'expression' && typeof field.template === 'string'
    ? compileExpression(field.template)
    : compileTemplate(field.template, { text: field.as === 'text' });

const valueAt = (field: TemplateField): Json => field.template;

function checkCompiled(
  compiled: CompiledTemplate,
  pointer: string,
  template: Json,
  standpoint: Standpoint,
  world: ReferenceWorld,
): Issue[] {
  const dashed = findDashed(compiled, template, world);
  const spoiled = new Set(dashed.map((each) => each.at));
  const isSpoiled = (each: { pointer: string }): boolean => spoiled.has(each.pointer);
  return [
    ...dashed.map(({ at, issue }) => ({ ...issue, pointer: pointer + at })),
    ...compiled.issues.filter((each) => !isSpoiled(each)).map((each) => fromTemplateIssue(each, pointer)),
    ...compiled.references
      .filter((each) => !isSpoiled(each))
      .flatMap((each) =>
        checkReference(each, pointer, standpoint, world).map((issue) => ({
          ...issue,
          position: each.position,
        })),
      ),
  ];
}

function fromTemplateIssue(found: TemplateIssue, base: string): Issue {
  const message = `${found.message} (at character ${found.position + 1})`;
  const issue = {
    ...errorAt(found.code, base + found.pointer, message, found.hint),
    severity: found.severity,
    position: found.position,
  };
  return issue;
}

/** `nodes.my-node.output` is a subtraction to JSONata: one clear sentence instead of what follows from that. */
function findDashed(
  compiled: CompiledTemplate,
  template: Json,
  world: ReferenceWorld,
): { at: string; issue: Issue }[] {
  const found: { at: string; issue: Issue }[] = [];
  for (const reference of compiled.references) {
    if (reference.root !== 'nodes' || found.some((each) => each.at === reference.pointer)) continue;
    const source = stringAt(template, reference.pointer);
    const written = /^nodes\s*\.\s*([A-Za-z][A-Za-z0-9_-]*)/.exec(source.slice(reference.position))?.[1];
    if (written === undefined || !written.includes('-') || !world.byId.has(written)) continue;
    const issue = errorAt(
      'reference_unquoted',
      '',
      `nodes.${written} is a subtraction to the expression language (at character ${reference.position + 1})`,
      `write nodes.${quoteName(written)}.output`,
    );
    found.push({ at: reference.pointer, issue: { ...issue, position: reference.position } });
  }
  return found;
}

/** The text at a pointer inside a template; empty when there is none. */
export function stringAt(template: Json, pointer: string): string {
  let value: Json | undefined = template;
  for (const key of pointerParts(pointer))
    value = typeof value === 'object' && value !== null ? (value as Record<string, Json>)[key] : undefined;
  return typeof value === 'string' ? value : '';
}

/** Where the roots are that exist in an agent only. */
const PLACES = { turn: '"stop" and "output.value"', args: '"approve" of a tool' } as const;

function checkReference(
  reference: Reference,
  base: string,
  standpoint: Standpoint,
  world: ReferenceWorld,
): Issue[] {
  const pointer = base + reference.pointer;
  const where = `(at character ${reference.position + 1})`;
  switch (reference.root) {
    case 'input':
    case 'run':
      return [];
    case 'item':
    case 'index':
      return standpoint.scope.container
        ? []
        : [
            errorAt(
              'reference_outside_map',
              pointer,
              `"${reference.root}" exists only inside a map or a loop ${where}`,
            ),
          ];
    case 'secrets':
      return standpoint.secretsAllowed
        ? []
        : [
            errorAt(
              'secret_not_allowed',
              pointer,
              `${reference.path} cannot be read here ${where}`,
              'secrets may be read in the arguments of a tool only',
            ),
          ];
    case 'turn':
    case 'args':
      return standpoint.roots?.includes(reference.root)
        ? []
        : [
            errorAt(
              'reference_outside_agent',
              pointer,
              `"${reference.root}" exists only in ${PLACES[reference.root]} of an agent ${where}`,
            ),
          ];
    case 'nodes':
      return checkNodeReference(reference.node as string, pointer, where, standpoint, world);
  }
}

function checkNodeReference(
  id: string,
  pointer: string,
  where: string,
  { scope, before }: Standpoint,
  { byId, orders, suggest }: ReferenceWorld,
): Issue[] {
  const target = byId.get(id);
  if (!target) {
    const message = `There is no node "${id}" ${where}`;
    return [errorAt('reference_unknown_node', pointer, message, suggest(id, byId.keys()))];
  }
  let later = before;
  for (let graph: FoundScope | undefined = scope; graph; graph = later?.scope) {
    if (graph === target.scope) {
      return checkOrder(target, later, orders.get(graph), pointer, where);
    }
    later = graph.container;
    if (!later) break;
  }
  const message = `"${id}" is in ${placeOf(target)}, which this expression cannot see into ${where}`;
  const hint = target.scope.container
    ? `read nodes.${quoteName(target.scope.container.id)}.output`
    : undefined;
  return [errorAt('reference_not_upstream', pointer, message, hint)];
}

function checkOrder(
  target: FoundNode,
  later: FoundNode | undefined,
  order: Order | undefined,
  pointer: string,
  where: string,
): Issue[] {
  const code = 'reference_not_upstream';
  if (later === undefined || !order) return [];
  if (target === later) return [errorAt(code, pointer, `"${target.id}" cannot read its own result ${where}`)];
  if (!order.isUpstream(target, later)) {
    const hint = `draw a path of edges from "${target.id}" to "${later.id}"`;
    return [errorAt(code, pointer, `"${target.id}" is not upstream of "${later.id}" ${where}`, hint)];
  }
  if (order.isSettled(target, later)) return [];
  return [
    {
      code: 'reference_unsettled',
      pointer,
      message: `"${target.id}" may still be running when "${later.id}" starts, because a join "first" is between them ${where}`,
      severity: 'warning',
      hint: 'read what the join itself passes on, or join with some or every',
    },
  ];
}
