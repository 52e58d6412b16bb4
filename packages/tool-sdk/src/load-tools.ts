import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isTool } from './define-tool.ts';
import { ToolDuplicateError, ToolModuleError } from './errors.ts';
import type { Tool } from './tool.ts';

/**
 * Loads the tools of one module: its default export and its named exports, each a tool or an array of tools.
 *
 * @param specifier  a path (`./tools.ts`, absolute, or a `file:` URL) or the name of an installed package
 * @param options    `from`: the folder that paths and packages are looked up from; default: the current one
 * @returns the tools in the order of their references
 * @throws {ToolModuleError} `tool_module_missing`, `tool_module_failed` (with the cause) or `tool_module_empty`
 * @throws {ToolDuplicateError} when two different tools of the module have the same reference
 */
export async function loadTools(
  specifier: string,
  options: { readonly from?: string } = {},
): Promise<Tool[]> {
  const from = resolve(options.from ?? process.cwd());
  const file = isPath(specifier) ? findFile(specifier, from) : findPackage(specifier, from);
  return collectTools(specifier, await importModule(specifier, file));
}

const isPath = (specifier: string): boolean =>
  /^\.{1,2}([/\\]|$)/.test(specifier) || isAbsolute(specifier) || specifier.startsWith('file:');

function findFile(specifier: string, from: string): string {
  const path = specifier.startsWith('file:') ? fileURLToPath(specifier) : resolve(from, specifier);
  if (!existsSync(path)) {
    throw new ToolModuleError(
      'tool_module_missing',
      `Tool module ${specifier} does not exist (looked for ${path}). Correct the path or create the file.`,
    );
  }
  if (!statSync(path).isDirectory()) return path;
  const index = ['index.ts', 'index.js', 'index.mjs']
    .map((name) => join(path, name))
    .find((name) => existsSync(name));
  if (index !== undefined) return index;
  throw new ToolModuleError(
    'tool_module_missing',
    `Tool module ${specifier} is a folder without index.ts, index.js or index.mjs. Name the file itself.`,
  );
}

function findPackage(specifier: string, from: string): string {
  try {
    return createRequire(join(from, 'resolve.js')).resolve(specifier);
  } catch {
    // Packages that only offer `import` are invisible to require.resolve; read what they export instead.
    const entry = importEntry(specifier, from);
    if (entry !== undefined) return entry;
    throw new ToolModuleError(
      'tool_module_missing',
      `Tool package ${specifier} is not installed where ${from} can see it. Run npm install ${packageName(specifier)}, or begin a path with ./`,
    );
  }
}

const packageName = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

function importEntry(specifier: string, from: string): string | undefined {
  const name = packageName(specifier);
  for (let folder = from; ; folder = dirname(folder)) {
    const root = join(folder, 'node_modules', name);
    if (existsSync(join(root, 'package.json'))) return entryOf(root, `.${specifier.slice(name.length)}`);
    if (folder === dirname(folder)) return undefined;
  }
}

function entryOf(root: string, subpath: string): string | undefined {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports?: unknown };
  const { exports } = manifest;
  const bySubpath =
    typeof exports === 'object' &&
    exports !== null &&
    Object.keys(exports).some((key) => key.startsWith('.'));
  const offered = bySubpath
    ? (exports as Record<string, unknown>)[subpath]
    : subpath === '.'
      ? exports
      : undefined;
  const target = importTarget(offered);
  return target === undefined ? undefined : join(root, target);
}

function importTarget(offered: unknown): string | undefined {
  if (typeof offered === 'string') return offered;
  if (typeof offered !== 'object' || offered === null) return undefined;
  const conditions = offered as Record<string, unknown>;
  return importTarget(conditions.node) ?? importTarget(conditions.import) ?? importTarget(conditions.default);
}

async function importModule(specifier: string, file: string): Promise<Record<string, unknown>> {
  try {
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ToolModuleError(
      'tool_module_failed',
      `Tool module ${specifier} could not be loaded: ${why}`,
      cause,
    );
  }
}

function collectTools(specifier: string, module: Record<string, unknown>): Tool[] {
  const found = new Map<string, { tool: Tool; exportName: string }>();
  for (const [exportName, value] of Object.entries(module)) {
    for (const tool of (Array.isArray(value) ? value : [value]).filter(isTool)) {
      const known = found.get(tool.ref);
      if (known !== undefined && known.tool !== tool) {
        const places = [known.exportName, exportName].map((name) => `export ${name} of ${specifier}`);
        throw new ToolDuplicateError(tool.ref, places);
      }
      found.set(tool.ref, { tool, exportName });
    }
  }
  if (found.size === 0) {
    const names = Object.keys(module).join(', ') || 'nothing';
    throw new ToolModuleError(
      'tool_module_empty',
      `Tool module ${specifier} exports no tool (it exports ${names}). Export what defineTool returns, alone or in arrays.`,
    );
  }
  return [...found.values()].map(({ tool }) => tool).sort((a, b) => (a.ref < b.ref ? -1 : 1));
}
