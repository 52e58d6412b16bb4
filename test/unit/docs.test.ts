// Would catch: pages that name a file, variable, script or command that is not there, leave one out, or show a flow that a
// reader cannot publish.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import {
  compileTemplate,
  type Json,
  type JsonSchema,
  type ToolDeclaration,
  validateFlow,
} from '@pawl/dag-core';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { buildProgram } from '../../apps/cli/src/program.ts';
import { builtinTools } from '../../apps/workers/src/tools/index.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = ['README.md', 'CHANGELOG.md', ...markdownIn('docs'), ...readmesOfExamples()];
const pages = PAGES.map((page) => ({ page, text: readFileSync(join(ROOT, page), 'utf8') }));

function markdownIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

function readmesOfExamples(): string[] {
  return readdirSync(join(ROOT, 'examples'))
    .map((name) => join('examples', name, 'README.md'))
    .filter((name) => existsSync(join(ROOT, name)));
}

interface Block {
  readonly page: string;
  readonly line: number;
  readonly info: string;
  readonly body: string;
}

const blocks: Block[] = pages.flatMap(({ page, text }) =>
  [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map((found) => ({
    page,
    line: text.slice(0, found.index).split('\n').length,
    info: found[1]!.trim(),
    body: found[2]!,
  })),
);
const prose = (text: string) => text.replaceAll(/^```[\s\S]*?^```$/gm, '');
const marked = (mark: string) => blocks.filter(({ info }) => info === mark || info.startsWith(`${mark} `));
const nameOf = ({ page, line }: Block) => `${page}:${line}`;

describe('links', () => {
  test.each(pages)(
    'when $page links to a file of the repository, it is there, with the section named',
    ({ page, text }) => {
      const links = [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map((found) => found[1]!);
      const broken = links.filter((link) => !/^[a-z]+:/.test(link) && !resolves(page, link));
      expect(broken).toEqual([]);
    },
  );

  function resolves(page: string, link: string): boolean {
    const [path = '', section] = link.split('#');
    const file = path === '' ? join(ROOT, page) : resolve(ROOT, dirname(page), path);
    if (relative(ROOT, file).startsWith('..') || !existsSync(file)) return false;
    return section === undefined || anchorsOf(readFileSync(file, 'utf8')).includes(section);
  }

  const anchorsOf = (text: string) =>
    [...prose(text).matchAll(/^#+ (.+)$/gm)].map((found) =>
      found[1]!
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    );

  test.each(pages)('when $page names a path of the repository, it is there', ({ text }) => {
    const named = [...text.matchAll(/`((?:packages|apps|test|docs|scripts|examples)\/[\w./-]+)`/g)];
    expect(named.map((found) => found[1]!).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

describe('environment variables', () => {
  const variable = /\b(?:PAWL|OPENAI|DATABASE|REDIS)_[A-Z_]+/g;
  const source = (path: string) => readFileSync(join(ROOT, path), 'utf8');
  const namesIn = (text: string) => [...new Set(text.match(variable) ?? [])].sort();

  test('when the configuration of an engine or worker reads one, operations.md explains it, and no other', () => {
    const read = [
      'apps/engine/src/config.ts',
      'apps/workers/src/config.ts',
      'apps/workers/src/mcp/config.ts',
      'apps/workers/src/models/config.ts',
      'apps/workers/src/tools/config.ts',
      'apps/workers/src/tools/mail/config.ts',
    ];
    const rows = section(source('docs/guide/operations.md'), 'Environment variables')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.split('|')[1]!);
    expect(namesIn(rows.join(' '))).toEqual(namesIn(read.map(source).join(' ')));
  });

  test('when any page names one, something reads it', () => {
    const code = sourcesIn('apps').map(source).join('\n');
    const unread = namesIn(pages.map(({ text }) => text).join('\n')).filter(
      (name) => !code.includes(name) && !/^PAWL_(SECRET|SQL)_/.test(name),
    );
    expect(unread).toEqual([]);
  });

  function section(text: string, title: string): string {
    const begin = text.indexOf(`\n## ${title}\n`);
    const end = text.indexOf('\n## ', begin + 1);
    return text.slice(begin, end === -1 ? undefined : end);
  }

  function sourcesIn(folder: string): string[] {
    return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\/src\/.*\.ts$/.test(name) && !name.includes('node_modules'))
      .map((name) => join(folder, name));
  }
});

describe('commands', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const program = buildProgram({ io: { columns: () => 80 } } as never);
  const code = pages.flatMap(({ page, text }) => codeOf(text).map((line) => ({ page, line })));

  /** Every line of a code block and every inline code. */
  function codeOf(text: string): string[] {
    const inside = [...text.matchAll(/^```.*\n([\s\S]*?)^```$/gm)].flatMap((found) => found[1]!.split('\n'));
    return [...inside, ...[...prose(text).matchAll(/`([^`\n]+)`/g)].map((found) => found[1]!)];
  }

  test('when a page names a script of npm, package.json has it', () => {
    const named = code.flatMap(({ page, line }) =>
      [...line.matchAll(/\bnpm (?:run (?:--\S+ )*([\w:-]+)|(start|test)\b)/g)].map((found) => ({
        page,
        script: found[1] ?? found[2]!,
      })),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(({ script }) => !Object.hasOwn(scripts, script))).toEqual([]);
  });

  test('when a page names a command of pawl, the command line has it, with its options', () => {
    const lines = code.filter(({ line }) => /^(?:\$ )?(?:[A-Z_]+=\S+ )*(?:npx )?pawl [a-z]/.test(line));
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.flatMap(({ page, line }) => faultsOf(line).map((fault) => `${page}: ${fault}`))).toEqual([]);
  });

  function faultsOf(line: string): string[] {
    const words = line
      .replace(/^(?:\$ )?(?:[A-Z_]+=\S+ )*(?:npx )?pawl /, '')
      .split(/\s+(?:#|\|)\s/)[0]!
      .split(/\s+/);
    let command = program;
    while (command.commands.length > 0 && words.length > 0) {
      const name = words.shift()!;
      const next = command.commands.find((child) => child.name() === name);
      if (!next) return [`"${line}": there is no command ${name}`];
      command = next;
    }
    const known = ['--help', '--version', ...command.options.flatMap(({ long, short }) => [long, short])];
    return words
      .map((word) => word.replace(/^\[/, '').replace(/[\]=].*$/, ''))
      .filter((word) => /^--?[a-z]/.test(word) && !known.includes(word))
      .map((word) => `"${line}": ${command.name()} has no option ${word}`);
  }
});

test('when a process has a metric, observability.md explains it, and no other', () => {
  const code = [
    'apps/engine/src/engine-metrics.ts',
    'apps/engine/src/http/metrics.ts',
    ...readdirSync(join(ROOT, 'packages/telemetry/src/metrics')).map((name) =>
      join('packages/telemetry/src/metrics', name),
    ),
  ];
  const metrics = code.flatMap((path) => readFileSync(join(ROOT, path), 'utf8').match(/'pawl_\w+'/g) ?? []);
  const guide = pages.find(({ page }) => page === 'docs/guide/observability.md')!.text;
  const rows = guide.match(/^\| `pawl_\w+`[^|]*/gm) ?? [];
  const explained = rows.flatMap((row) => row.match(/pawl_\w+/g) ?? []);
  expect(explained.sort()).toEqual(metrics.map((name) => name.slice(1, -1)).sort());
  // A name of an alert that nothing has would never fire.
  const named = new Set(
    (guide.match(/pawl_[a-z_]+/g) ?? []).map((name) => name.replace(/_(?:count|bucket|sum)$/, '')),
  );
  expect([...named].filter((name) => !explained.includes(name))).toEqual([]);
});

test('when something is a dependency, design.md says what for, and nothing else', () => {
  const folders = ['packages', 'apps'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) => join(ROOT, folder, name)),
  );
  const manifests = [ROOT, ...folders].map((folder) => join(folder, 'package.json'));
  const used = manifests.filter(existsSync).flatMap((file) => {
    const { dependencies = {} } = JSON.parse(readFileSync(file, 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    return Object.keys(dependencies).filter((name) => !name.startsWith('@pawl/'));
  });
  const design = pages.find(({ page }) => page === 'docs/design.md')!.text;
  const rows = design.slice(design.indexOf('\n## Dependencies')).match(/^\| [@a-z].* \|$/gm)!;
  const named = rows.slice(1).flatMap((row) => row.split('|')[1]!.trim().split(', '));
  expect(named.sort()).toEqual([...new Set(used)].sort());
});

test('when a worker offers a tool of its own, tools.md lists it with its class and its arguments, and no other', () => {
  const { text } = pages.find(({ page }) => page === 'docs/guide/tools.md')!;
  const tools = builtinTools({ filesRoot: ROOT });
  const rows = [...text.matchAll(/^\| `([a-z._]+@\d+)` \| (pure|idempotent|non-repeatable) \|/gm)];
  const listed = rows.map(([, ref, effect]) => `${ref} ${effect!.replace('-', '_')}`);
  expect(listed.sort()).toEqual(tools.map(({ ref, effect }) => `${ref} ${effect}`).sort());
  for (const { ref, inputSchema } of tools) {
    const line = text.split('\n').find((each) => each.startsWith(`| \`${ref}\` | \`{`)) ?? '';
    const given = /\{(.*?)\}/.exec(line)?.[1] ?? '';
    const { properties = {} } = inputSchema as { properties?: Record<string, unknown> };
    expect(given.match(/\w+/g)?.sort(), ref).toEqual(Object.keys(properties).sort());
  }
});

test('when a built-in tool fails with a code of its own, tools.md explains it', () => {
  const { text } = pages.find(({ page }) => page === 'docs/guide/tools.md')!;
  const folder = join(ROOT, 'apps/workers/src/tools');
  const code = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const named = [...code.matchAll(/code: '([a-z_]+)'|'((?:mail|sql|csv|patch)_[a-z_]+)'/g)].map(
    (found) => found[1] ?? found[2]!,
  );
  expect(named.length).toBeGreaterThan(30);
  expect([...new Set(named)].filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

describe('flows', () => {
  const builtin = builtinTools({ filesRoot: ROOT }).map(
    ({ ref, name, version, effect, inputSchema }) =>
      [ref, { name, version, effect, input: inputSchema as JsonSchema }] as const,
  );

  /** Tools of the page itself stand behind the mark: `yaml flow tools=letter.post@1`. */
  function toolsFor({ info }: Block): ReadonlyMap<string, ToolDeclaration> {
    const own = (/tools=(\S+)/.exec(info)?.[1]?.split(',') ?? []).map((ref) => {
      const [name = '', version = ''] = ref.split('@');
      return [ref, { name, version, effect: 'non_repeatable', input: true }] as const;
    });
    return new Map<string, ToolDeclaration>([...builtin, ...own]);
  }

  test.each(marked('yaml flow').map((block) => [nameOf(block), block] as const))(
    'when the flow at %s is published, there is nothing to complain about',
    (_, block) => {
      expect(validateFlow(parse(block.body), { tools: toolsFor(block) }).issues).toEqual([]);
    },
  );

  test.each(marked('yaml node').map((block) => [nameOf(block), block] as const))(
    'when the node at %s is all there is, there is nothing to complain about',
    (_, block) => {
      const flow = {
        format: 'pawl/1',
        name: 'alone',
        budget: { costUsd: 1 },
        nodes: [parse(block.body)],
        edges: [],
      };
      expect(validateFlow(flow, { tools: toolsFor(block) }).issues).toEqual([]);
    },
  );

  test('when a kind can be published, flows.md shows a node of it', () => {
    const shown = new Set(
      [...marked('yaml flow'), ...marked('yaml node')]
        .filter(({ page }) => page === 'docs/guide/flows.md')
        .flatMap(({ body }) => [...body.matchAll(/kind: (\w+)/g)].map((found) => found[1]!)),
    );
    expect([...shown].sort()).toEqual([
      'agent',
      'approval',
      'code',
      'emit',
      'flow',
      'join',
      'llm',
      'loop',
      'map',
      'switch',
      'tool',
      'transform',
      'wait',
    ]);
  });

  test('when an expression of the guide is evaluated, it gives what the guide says', async () => {
    const lines = [
      { name: 'pump', count: 2 },
      { name: 'hose', count: 1 },
    ];
    const scope = {
      input: { order: { id: 7, total: 12.5, lines }, note: '' },
      nodes: {},
      run: { id: 'r', startedAt: '2026-01-01T00:00:00.000Z' },
    };
    const examples = marked('yaml expressions').flatMap(
      ({ body }) => parse(body) as { write: string; get: Json }[],
    );
    expect(examples.length).toBeGreaterThan(5);
    for (const { write, get } of examples) {
      const got = await compileTemplate(write).evaluate(scope, { now: () => 0, random: () => 0 }, {});
      expect(got, write).toEqual(get);
    }
  });
});
