import type { Json } from '@pawl/dag-core';
import { Argument, type Command } from 'commander';
import type { InboxAnswer } from '../api-types.ts';
import {
  type ClientOptions,
  clientFor,
  collect,
  newClientCommand,
  printJson,
  type Shell,
} from '../command.ts';
import { UsageError } from '../errors.ts';
import { parseJsonText } from '../read-document.ts';
import { questionDetails } from './inbox-show.ts';
import { memberValue, pairsOf } from './input-options.ts';

interface AnswerOptions extends ClientOptions {
  readonly set?: string[];
  readonly values?: string;
  readonly output?: string;
  readonly reason?: string;
}

const DECISIONS = [
  'approved',
  'rejected',
  'happened',
  'did_not_happen',
  'adopt',
  'compensate',
  'skip',
  'retry',
  'fail',
] as const;
type Decision = (typeof DECISIONS)[number];

/** `pawl inbox answer <question> <decision>`: the first answer wins. */
export const inboxAnswer = (shell: Shell): Command =>
  newClientCommand('answer', 'answer a question; the first answer wins')
    .argument('<question>')
    .addArgument(new Argument('<decision>').choices(DECISIONS))
    .option(
      '--values <JSON>',
      'with "approved" or "rejected": what is filled in, as a whole; with "retry": the arguments',
    )
    .option(
      '-s, --set <name=value>',
      'with "approved" or "rejected": one member, over what is filled in already (repeatable)',
      collect,
    )
    .option('--output <JSON>', 'with "happened" or "compensate": what the effect answered')
    .option('--reason <text>', 'with "rejected" or "fail": recorded in the journal')
    .action(async (question: string, decision: Decision, options: AnswerOptions) => {
      demandFitting(decision, options);
      const client = clientFor(options, shell);
      const filled = async (): Promise<Json> =>
        (await client.getQuestion({ params: { question } })).values ?? {};
      const body = await answerOf(decision, options, filled);
      const answered = await client.answerQuestion({ params: { question }, body });
      if (options.json) return printJson(shell, answered);
      shell.io.out(questionDetails(answered, shell.io));
    });

const GOES_WITH: Readonly<Record<'set' | 'values' | 'output' | 'reason', readonly Decision[]>> = {
  set: ['approved', 'rejected'],
  values: ['approved', 'rejected', 'retry'],
  output: ['happened', 'compensate'],
  reason: ['rejected', 'fail'],
};

function demandFitting(decision: Decision, options: AnswerOptions): void {
  for (const [option, decisions] of Object.entries(GOES_WITH)) {
    if (options[option as keyof typeof GOES_WITH] !== undefined && !decisions.includes(decision))
      throw new UsageError(`--${option} goes with ${decisions.join(' and ')} only.`);
  }
  if (decision === 'happened' && options.output === undefined)
    throw new UsageError(
      '"happened" needs --output with what the effect answered, as JSON ("null" if nothing).',
    );
}

async function answerOf(
  decision: Decision,
  { set, values, output, reason }: AnswerOptions,
  filled: () => Promise<Json>,
): Promise<InboxAnswer> {
  switch (decision) {
    case 'approved':
    case 'rejected': {
      const whole = values === undefined ? undefined : parseJsonText('The values', values);
      const merged = set ? withMembers(whole ?? (await filled()), set) : whole;
      const given = merged === undefined ? {} : { values: merged };
      return decision === 'approved'
        ? { decision, ...given }
        : { decision, ...given, ...(reason ? { reason } : {}) };
    }
    case 'happened':
      return { decision, output: parseJsonText('The output', output!) };
    case 'compensate':
      return { decision, ...(output === undefined ? {} : { output: parseJsonText('The output', output) }) };
    case 'fail':
      return { decision, ...(reason ? { reason } : {}) };
    case 'retry':
      return { decision, ...(values !== undefined && { values: parseJsonText('The values', values) }) };
    default:
      return { decision };
  }
}

function withMembers(values: Json, set: readonly string[]): Json {
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw new UsageError('--set names members of an object, and what is filled in is none. Use --values.');
  return { ...values, ...pairsOf(set, '--set', memberValue) };
}
