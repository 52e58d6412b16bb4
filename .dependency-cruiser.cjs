// Who may import whom. Rules look at `src` folders; tests may reach further.
// Type-only imports count as imports.

/** @type {Record<string, readonly string[]>} */
const allowed = {
  'packages/dag-core': [],
  'packages/replay': [],
  'packages/tool-sdk': [],
  'packages/queue': [],
  'packages/api': ['packages/dag-core'],
  'packages/run-store': ['packages/dag-core'],
  'packages/crash-kit': ['packages/dag-core'],
  'packages/telemetry': ['packages/run-store', 'packages/dag-core'],
  'apps/engine': [
    'packages/api',
    'packages/run-store',
    'packages/dag-core',
    'packages/replay',
    'packages/queue',
    'packages/telemetry',
  ],
  'apps/workers': [
    'packages/run-store',
    'packages/dag-core',
    'packages/tool-sdk',
    'packages/replay',
    'packages/queue',
    'packages/telemetry',
  ],
  'apps/designer': ['packages/api', 'packages/dag-core'],
  // The command line reaches the store in its server-side commands only; see the rule below.
  'apps/cli': [
    'packages/api',
    'packages/dag-core',
    'packages/replay',
    'packages/crash-kit',
    'packages/run-store',
  ],
};

const directions = Object.entries(allowed).map(([folder, targets]) => ({
  name: `imports-of-${folder.split('/')[1]}`,
  comment: `${folder} may import ${targets.length ? targets.join(', ') : 'nothing of ours'}.`,
  severity: 'error',
  from: { path: `^${folder}/src/` },
  to: { path: '^(packages|apps)/[^/]+/', pathNot: [folder, ...targets].map((path) => `^${path}/`) },
}));

/** Only these folders may use a library. */
const keptFor = (name, library, folders) => ({
  name,
  severity: 'error',
  from: { path: '^(packages|apps)/[^/]+/src/', pathNot: folders.map((folder) => `^${folder}/`) },
  to: { path: `node_modules/${library}/` },
});

module.exports = {
  forbidden: [
    ...directions,
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-deep-imports',
      comment: 'Another package is used through its index, or an entry of its own, only.',
      severity: 'error',
      from: { path: '^((packages|apps)/[^/]+)/src/' },
      to: {
        path: '^(packages|apps)/[^/]+/',
        pathNot: ['^$1/', '^(packages|apps)/[^/]+/src/((testing|work)/)?index[.]ts$'],
      },
    },
    {
      name: 'no-tests-in-source',
      severity: 'error',
      from: { path: '^(packages|apps)/[^/]+/src/' },
      to: { path: '(^|/)test/', pathNot: 'node_modules' },
    },
    {
      name: 'store-from-server-side-commands-only',
      comment:
        'pawl migrate, key create, doctor and dev run beside the database; every other command goes through the API.',
      severity: 'error',
      from: { path: '^apps/cli/src/', pathNot: '^apps/cli/src/(server-side|dev)/' },
      to: { path: '^packages/run-store/' },
    },
    {
      name: 'dag-core-is-pure',
      comment: 'No Node API: it runs in the browser too.',
      severity: 'error',
      from: { path: '^packages/(dag-core|replay)/src/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'editor-is-pure',
      comment:
        'The editor of the designer knows the core and its own files: no browser, no React, no other part of the designer.',
      severity: 'error',
      from: { path: '^apps/designer/src/editor/' },
      to: { pathNot: '^(apps/designer/src/editor/|packages/dag-core/src/index[.]ts$)' },
    },
    keptFor('bullmq-in-queue-only', '(bullmq|ioredis)', ['packages/queue']),
    keptFor('mikro-orm-in-run-store-only', '@mikro-orm', ['packages/run-store']),
    keptFor('opentelemetry-in-telemetry-only', '@opentelemetry', ['packages/telemetry']),
    keptFor('pg-where-sql-lives', 'pg', [
      'packages/run-store',
      'packages/queue',
      'apps/cli/src/dev',
      'apps/workers/src/tools/sql',
    ]),
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    // TypeScript 7 has no API that this tool can call; its SWC parser reads the same syntax.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // Its parser does not know JSX; Biome checks what those files import.
    exclude: { path: '(^|/)dist/|[.]tsx$' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.cjs', '.mjs', '.json'],
    },
  },
};
