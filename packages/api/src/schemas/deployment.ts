import { z } from 'zod';
import { list, named } from './named.ts';
import { Id, Instant } from './values.ts';

const ServerState = named(
  'McpServerState',
  z.object({
    name: z.string(),
    transport: z.enum(['stdio', 'http']),
    state: z.enum(['connected', 'away']),
    since: Instant,
    tools: z.number().meta({ description: 'How many of its tools can be called.' }),
    problem: z.string().optional().meta({ description: 'Why it is away. Absent: it was not tried yet.' }),
    leftOut: list(z.object({ tool: z.string(), why: z.string() }))
      .optional()
      .meta({ description: 'What it lists and cannot be called here.' }),
  }),
);
export type McpServerState = z.output<typeof ServerState>;

const LiveWorker = named(
  'LiveWorker',
  z.object({
    id: Id,
    host: z.string(),
    pid: z.number(),
    startedAt: Instant,
    leaseUntil: Instant.meta({ description: 'It renews its lease every few seconds while it lives.' }),
    pools: list(z.string()),
    offers: z
      .object({
        tools: list(z.string()).meta({ description: '<name>@<version>' }),
        providers: list(z.string()).meta({ description: 'Of models: those that it is configured for.' }),
        servers: list(ServerState)
          .optional()
          .meta({ description: 'The MCP servers that it is configured for.' }),
        opensCredentials: z.boolean().optional().meta({ description: 'It has a PAWL_SECRET_KEY.' }),
      })
      .optional(),
    held: z.number().meta({ description: 'Node runs in its hands, of all workspaces.' }),
    nodeRuns: list(z.object({ runId: Id, path: z.string(), flow: z.string(), since: Instant })).meta({
      description: 'Of them the oldest of the workspace.',
    }),
  }),
);

const PoolState = named(
  'PoolState',
  z.object({
    pool: z.string(),
    workers: z.number().meta({ description: 'Live workers that serve it.' }),
    ready: z.number().meta({ description: 'Node runs that wait for a worker, of all workspaces.' }),
    inLine: z.number().meta({ description: 'Of them those in the line of a limit or of a missing tool.' }),
    oldest: Instant.optional().meta({ description: 'Since when the oldest of them is ready.' }),
    jobs: z
      .object({ waiting: z.number(), active: z.number(), delayed: z.number() })
      .optional()
      .meta({ description: 'Of the queue, up to 64 doorbells each. Absent: the queue does not answer.' }),
  }),
);

/** Who works, and what waits. */
export const WorkState = named(
  'WorkState',
  z.object({
    workers: list(LiveWorker),
    pools: list(PoolState),
    queue: z.enum(['redis', 'postgres']),
    isCut: z.boolean().meta({ description: 'More waits than is counted.' }),
  }),
);
export type WorkState = z.output<typeof WorkState>;

/** What the environment of the engine says about the keeping of things. */
export const Keeping = named(
  'Keeping',
  z.object({
    runDays: z
      .number()
      .optional()
      .meta({ description: 'Days that runs are kept after the month of their creation. Absent: for ever.' }),
    receiptDays: z
      .number()
      .optional()
      .meta({ description: 'Days that receipts of effects are kept. Absent: for ever.' }),
    uploadBytes: z.number(),
    queueLimit: z.number().meta({ description: 'Jobs that may wait before starts are refused.' }),
    workspaceLimit: z.number().meta({ description: 'Runs of a workspace that may wait to start.' }),
  }),
);
export type Keeping = z.output<typeof Keeping>;
