import type { Json } from '@pawl/dag-core';
import type { Command } from 'commander';
import type { InboxQuestion } from '../api-types.ts';
import { type ClientOptions, clientFor, newClientCommand, printJson, type Shell } from '../command.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../output/json-text.ts';
import { pairs } from '../output/table.ts';
import { oneLine } from '../output/text-width.ts';
import { ago } from '../output/values.ts';

/** `pawl inbox show <question>`: what is asked, the evidence, and what may be decided. */
export const inboxShow = (shell: Shell): Command =>
  newClientCommand('show', 'show a question with its evidence')
    .argument('<question>')
    .action(async (question: string, options: ClientOptions) => {
      const client = clientFor(options, shell);
      const found = await client.getQuestion({ params: { question } });
      if (options.json) return printJson(shell, found);
      shell.io.out(questionDetails(found, shell.io));
    });

/** A question, one fact per line, then what belongs to it as JSON. */
export function questionDetails(question: InboxQuestion, io: Io): string {
  const { colours } = io;
  const { doubt, effect, late, probe, answer } = question;
  const facts = pairs(
    [
      ['question', colours.bold(question.question)],
      ['asks', oneLine(question.subject)],
      ['state', question.state],
      ['kind', question.kind],
      ['node run', `${question.path} of run ${question.runId} (${question.flow})`],
      ['asked', `${question.since} (${ago(question.since, io.now())})`],
      ['until', question.until && `${question.until}, then ${question.onDeadline ?? 'fail'}`],
      ['for', question.who?.join(', ')],
      [
        'failure',
        question.failure && `${colours.red(question.failure.code)} ${oneLine(question.failure.message)}`,
      ],
      ['doubt', doubt && `${doubt.reason}${doubt.workerId ? `, worker ${doubt.workerId}` : ''}`],
      ['effect', effect && `${effect.target} (${effect.effect}), attempt ${effect.attempt} at ${effect.at}`],
      ['key', effect?.key],
      [
        'asked its tool',
        probe &&
          `${probe.answer} at ${probe.at}${probe.failure ? `, ${oneLine(probe.failure.message)}` : ''}`,
      ],
      ['may still be sent', doubt?.mayStillSend && `by worker ${doubt.mayStillSend.workerId}`],
      ['', doubt?.mayStillSend && oneLine(doubt.mayStillSend.hint)],
      [
        'answered late',
        late && `attempt ${late.attempt} at ${late.at}${late.ambiguous ? ', still in doubt' : ''}`,
      ],
      ['answer', answer && `${answer.decision} by ${answer.by} at ${answer.at}`],
      ['reason', answer?.reason && oneLine(answer.reason)],
    ],
    colours.dim,
  );
  const parts: [string, Json | undefined][] = [
    ['form', question.form as Json | undefined],
    ['values', answer?.values ?? question.values],
    ['request', effect?.request],
    ['late answer', late && ((late.failure as Json | undefined) ?? late.output)],
  ];
  const details = question.details === undefined ? '' : `\n${safeLines(question.details)}\n`;
  const shown = parts.flatMap(([name, value]) =>
    value === undefined ? [] : [`\n${colours.dim(name)}\n${jsonText(value)}\n`],
  );
  return `${facts}${details}${shown.join('')}${question.state === 'open' ? wayOut(question) : ''}`;
}

/** Text of somebody else, line by line. */
const safeLines = (text: string): string => text.split(/\r?\n/).map(oneLine).join('\n');

const wayOut = ({ question, decisions }: InboxQuestion): string =>
  `\nAnswer it: pawl inbox answer ${question} <decision>, with one of ${decisions.join(', ')}\n`;
