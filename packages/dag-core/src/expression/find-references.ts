import { didYouMean } from '../graph/did-you-mean.ts';
import type { Ast } from './read-expression.ts';
import { isRiskyRegex } from './risky-regex.ts';
import { NODE_MEMBERS, SCOPE_ROOTS, type ScopeRoot } from './scope.ts';

// Rules kept here: X2 names start from the scope; X3 every reading of the scope is a static reference, so that publish can
// check it and a run loads no more than that; X7 what would escape the bounds is refused.

/** A reading of the scope, relative to the expression's own text. */
interface FoundReference {
  readonly root: ScopeRoot;
  readonly node?: string;
  readonly path: string;
  readonly position: number;
  readonly idAt?: { readonly position: number; readonly length: number };
}

interface FoundIssue {
  readonly code: string;
  readonly position: number;
  readonly message: string;
  readonly hint?: string;
  readonly severity: 'error' | 'warning';
}

export interface Findings {
  readonly references: readonly FoundReference[];
  readonly issues: readonly FoundIssue[];
}

/** `root`: names are read from the scope; `inner`: from the value a path has reached. */
type Context = 'root' | 'inner';

/** Lists what an expression reads of the scope and what it must not do. */
export function findReferences(ast: Ast, source: string): Findings {
  const references: FoundReference[] = [];
  const issues: FoundIssue[] = [];
  const error = (code: string, position: number, message: string, hint?: string) =>
    issues.push({ code, position, message, hint, severity: 'error' });

  const walk = (node: Ast, context: Context): void => {
    switch (node.type) {
      case 'path':
        walkPath(node.steps ?? [], context);
        break;
      case 'name':
        walkPath([node], context);
        return;
      case 'variable':
        walkVariable(node, context);
        break;
      case 'wildcard':
      case 'descendant':
        if (context === 'root') wholeScope(node);
        break;
      case 'regex':
        if (isRiskyRegex(String((node.value as RegExp).source))) {
          error(
            'expression_regex_unsafe',
            startOf(node, source),
            'The regular expression repeats a group that repeats itself, which can run for ever',
            'take one of the two repetitions out, for instance (a+)+ becomes a+',
          );
        }
        break;
      case 'transform':
        for (const part of [node.pattern, node.update, node.delete]) if (part) walk(part as Ast, 'inner');
        break;
      case 'sort':
        for (const term of node.terms as { expression: Ast }[]) walk(term.expression, 'inner');
        break;
      default:
        for (const child of childrenOf(node)) walk(child, context);
    }
    walkFilters(node);
  };

  const walkFilters = (node: Ast): void => {
    for (const filter of [...(node.stages ?? []), ...(node.predicate ?? [])]) {
      if (filter.expr) walk(filter.expr, 'inner');
    }
    // A group on something that is no path (an object constructor is a group of its own context) reads its items.
    for (const [key, value] of node.group?.lhs ?? []) {
      walk(key, 'inner');
      walk(value, 'inner');
    }
  };

  const walkVariable = (node: Ast, context: Context): void => {
    if (node.value === '$' || (node.value === '' && context === 'root')) wholeScope(node);
    if (node.value === 'eval') {
      error(
        'expression_forbidden',
        startOf(node, source),
        '$eval is not available: an expression must be known when the flow is published',
      );
    }
  };

  const walkPath = (steps: readonly Ast[], start: Context): void => {
    let context = start;
    for (let at = 0; at < steps.length; at++) {
      const step = steps[at] as Ast;
      const isRootVariable =
        step.type === 'variable' && (step.value === '$' || (step.value === '' && context === 'root'));
      if (isRootVariable && at === 0 && steps[1]?.type === 'name' && !step.stages && !step.focus) {
        context = 'root';
        continue;
      }
      if (step.type === 'name') {
        if (context === 'root') at = readRoot(steps, at);
        else warnInner(steps, at);
        walkFilters(steps[at] as Ast);
      } else {
        walk(step, context);
      }
      // `@$name` keeps the context where it was; every other step moves it into the value.
      if (!(steps[at] as Ast).focus) context = 'inner';
    }
  };

  /** Reads the plain names that begin at `from`; returns the index of the last one used. */
  const readRoot = (steps: readonly Ast[], from: number): number => {
    const names: string[] = [];
    let last = from;
    for (let at = from; at < steps.length && steps[at]?.type === 'name'; at++) {
      names.push(String(steps[at]?.value));
      last = at;
      if (!isPlainStep(steps[at] as Ast)) break;
    }
    const position = startOf(steps[from] as Ast, source);
    const [root, second, third] = names as [string, string?, string?];
    if (!isScopeRoot(root)) {
      error(
        'reference_unknown',
        position,
        `There is no "${root}" here; an expression starts from ${SCOPE_ROOTS.join(', ')}`,
        didYouMean(root, SCOPE_ROOTS),
      );
    } else if (root === 'nodes') {
      checkNode(second, third, position);
      if (second !== undefined) {
        const idAt = nextName(source, (steps[from] as Ast).position ?? 0);
        references.push({ root, node: second, path: names.join('.'), position, ...(idAt && { idAt }) });
      }
    } else if (root === 'secrets' && second === undefined) {
      error('reference_not_static', position, 'A secret is named one by one', 'write secrets.NAME');
    } else {
      references.push({ root, path: names.join('.'), position });
    }
    return last;
  };

  const checkNode = (node: string | undefined, member: string | undefined, position: number): void => {
    if (node === undefined) {
      error(
        'reference_not_static',
        position,
        'A node is named when the flow is written, so that publish can check that it is upstream',
        'write nodes.<id>.output',
      );
    } else if (member === undefined || !(NODE_MEMBERS as readonly string[]).includes(member)) {
      const said = member === undefined ? `nodes.${node}` : `nodes.${node}.${member}`;
      error(
        'reference_member_unknown',
        position,
        `${said} is not a value; a node has ${NODE_MEMBERS.join(', ')}`,
        (member && didYouMean(member, NODE_MEMBERS)) ?? `write nodes.${quoteName(node)}.output`,
      );
    }
  };

  const wholeScope = (node: Ast): void => {
    error(
      'reference_not_static',
      startOf(node, source),
      'This reads everything an expression can see at once, which publish cannot check',
      `name what is meant: ${SCOPE_ROOTS.map((root) => `$$.${root}`).join(', ')}`,
    );
  };

  const warnInner = (steps: readonly Ast[], at: number): void => {
    const [first, second] = [steps[at], steps[at + 1]];
    if (at > 0 || first?.type !== 'name' || second?.type !== 'name') return;
    const root = String(first.value);
    if (root !== 'nodes' && root !== 'input' && root !== 'secrets' && root !== 'run') return;
    issues.push({
      code: 'reference_inner',
      position: startOf(first, source),
      message: `Inside a path "${root}" means a field of each value there, not the ${root} of the run`,
      hint: `write $$.${root}.… to reach it`,
      severity: 'warning',
    });
  };

  walk(ast, 'root');
  return { references, issues };
}

/** The children of every other kind of node, which read from the same context as the node itself. */
function* childrenOf(node: Ast): Generator<Ast> {
  for (const key of Object.keys(node)) {
    if (key === 'stages' || key === 'predicate' || key === 'group') continue;
    yield* nodesIn(node[key]);
  }
}

function* nodesIn(value: unknown): Generator<Ast> {
  if (Array.isArray(value)) for (const each of value) yield* nodesIn(each);
  else if (typeof value === 'object' && value !== null && typeof (value as Ast).type === 'string')
    yield value as Ast;
}

const isScopeRoot = (name: string): name is ScopeRoot => (SCOPE_ROOTS as readonly string[]).includes(name);

const isPlainStep = (step: Ast): boolean => !step.stages && !step.focus && step.index === undefined;

/** Offset where a token starts; JSONata tells where it ends. */
function startOf(node: Ast, source: string): number {
  const end = node.position ?? 0;
  const length = String(node.value ?? '').length;
  const isQuoted = '`"\''.includes(source[end - 1] ?? ' ') && node.type === 'name';
  if (node.type === 'variable') return Math.max(0, end - length - 1);
  return Math.max(0, end - length - (isQuoted ? 2 : 0));
}

/** The name that follows a dot, its quotes included, wherever blanks and comments stand. JSONata does not tell where a quoted one begins. */
function nextName(source: string, from: number): { position: number; length: number } | undefined {
  const pattern =
    /(?:\s|\/\*[\s\S]*?\*\/)*\.(?:\s|\/\*[\s\S]*?\*\/)*(`[^`]*`|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[\w$\u0080-\uffff]+)/y;
  pattern.lastIndex = from;
  const found = pattern.exec(source);
  if (!found) return undefined;
  const length = (found[1] as string).length;
  return { position: pattern.lastIndex - length, length };
}

/** A node id as it is written in an expression: in backticks unless it is a plain name. */
export const quoteName = (id: string): string => (/^[A-Za-z_]\w*$/.test(id) ? id : `\`${id}\``);
