import type { Command } from 'commander';
import {
  type ClientOptions,
  clientFor,
  collect,
  newClientCommand,
  printJson,
  type Shell,
} from '../command.ts';
import { UsageError } from '../errors.ts';
import { table } from '../output/table.ts';
import { addBudgetOptions, type BudgetOptions, budgetOf } from './budget-options.ts';
import { addInputOptions, type InputOptions, inputOf, memberValue, pairsOf } from './input-options.ts';
import { resolveRunId } from './run-id.ts';
import { followAndPrint } from './run-watch.ts';

interface TestOptions extends ClientOptions, BudgetOptions, InputOptions {
  readonly to?: string;
  readonly from?: string;
  readonly only?: string;
  readonly give?: string[];
  readonly recorded?: string[];
  readonly allow?: string[];
  readonly off?: string[];
  readonly plan?: boolean;
  readonly watch?: boolean;
}
type Client = ReturnType<typeof clientFor>;
type Wish = Parameters<Client['planTest']>[0]['body'];
type Plan = Awaited<ReturnType<Client['planTest']>>;

/** `pawl flow test <flow>`: a test run of the draft; with `--plan` only what it would do. */
export const flowTest = (shell: Shell): Command =>
  addBudgetOptions(
    addInputOptions(newClientCommand('test', 'test the draft of a flow, or a part of it').argument('<flow>'))
      .option('--to <node>', 'only what leads to a node, with it')
      .option('--from <node>', 'only a node and what follows from it')
      .option('--only <node>', 'only a node')
      .option('--give <node=value>', 'an output to use instead of running the node (repeatable)', collect)
      .option('--recorded <node=run>', 'the output that an earlier run recorded (repeatable)', collect)
      .option('--allow <node>', 'a node that may call what must not be repeated (repeatable)', collect)
      .option('--off <node>', 'a node that is not to run (repeatable)', collect)
      .option('--plan', 'say what it would call, and start nothing')
      .option('-w, --watch', 'follow the run until it ends or waits for a person'),
  ).action(async (flow: string, options: TestOptions) => {
    const client = clientFor(options, shell);
    const wish = await wishOf(client, options);
    const params = { flow };
    if (options.plan) {
      const plan = await client.planTest({ params, body: wish });
      if (options.json) return printJson(shell, plan);
      return shell.io.out(planTable(plan, shell));
    }
    const budget = budgetOf(options);
    const started = await client.startTest({
      params,
      body: { ...wish, input: await inputOf(options, shell.io), ...(budget ? { budget } : {}) },
    });
    if (options.watch) return followAndPrint(client, started.runId, shell, { ...options, until: 'waiting' });
    if (options.json) return printJson(shell, started);
    shell.io.out(`${started.runId}\n`);
  });

async function wishOf(client: Client, options: TestOptions): Promise<Wish> {
  const parts = (['to', 'from', 'only'] as const).filter((each) => options[each] !== undefined);
  if (parts.length > 1) throw new UsageError('Give one of --to, --from and --only.');
  const [part] = parts;
  const given = Object.entries(pairsOf(options.give ?? [], '--give', memberValue));
  const recorded = Object.entries(pairsOf(options.recorded ?? [], '--recorded', (text) => text));
  const outputs: NonNullable<Wish['outputs']> = Object.fromEntries(
    given.map(([node, output]) => [node, { origin: 'mocked' as const, output }]),
  );
  for (const [node, run] of recorded)
    outputs[node] = { origin: 'recorded', runId: await resolveRunId(client, String(run)) };
  return {
    part: part ? { do: part, node: options[part]! } : { do: 'all' },
    outputs,
    allow: options.allow ?? [],
    off: options.off ?? [],
  };
}

function planTable({ nodes, undecided }: Plan, { io }: Shell): string {
  const { dim, red } = io.colours;
  const rows = nodes.map(({ node, does, effect, calls, origin, why, because, lacks }) => [
    node,
    does === 'nothing' ? dim('does not run') : does === 'given' ? `given, ${origin}` : does,
    does === 'calls' ? `${calls.join(', ')} (${effect})` : '',
    undecided.includes(node)
      ? red('allow it, turn it off, or give an output')
      : dim(
          [because === undefined ? why : `${why} ${because}`, lacks && `reads nothing of ${lacks.join(', ')}`]
            .filter(Boolean)
            .join('; '),
        ),
  ]);
  return table([{ head: 'node' }, { head: 'does' }, { head: 'calls' }, { head: '' }], rows, dim);
}
