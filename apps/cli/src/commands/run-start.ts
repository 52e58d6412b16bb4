import type { Json, JsonObject } from '@pawl/dag-core';
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
import type { Io } from '../io.ts';
import { parseJsonText, readDocument } from '../read-document.ts';
import { addBudgetOptions, type BudgetOptions, budgetOf } from './budget-options.ts';
import { followAndPrint } from './run-watch.ts';

interface StartOptions extends ClientOptions, BudgetOptions {
  readonly input?: string;
  readonly set?: string[];
  readonly versionId?: string;
  readonly dedupeKey?: string;
  readonly tag?: string[];
  readonly watch?: boolean;
}

/** `pawl run start <flow>`: prints the id of the run; with `--watch` follows it and exits by its status. */
export const runStart = (shell: Shell): Command =>
  addBudgetOptions(
    newClientCommand('start', 'start a run of a published flow')
      .argument('<flow>')
      .option(
        '-i, --input <file or JSON>',
        'run input: a JSON or YAML file, - for standard input, or JSON itself',
      )
      .option(
        '-s, --set <name=value>',
        'one member of the input; JSON where it parses, else text (repeatable)',
        collect,
      )
      .option('--version-id <id>', 'a certain version instead of the published one')
      .option('--dedupe-key <key>', 'the same key and input start one run only')
      .option('-t, --tag <name=value>', 'a tag to find the run by (repeatable)', collect)
      .option('-w, --watch', 'follow the run until it ends or waits for a person'),
  ).action(async (flow: string, options: StartOptions) => {
    const client = clientFor(options, shell);
    const budget = budgetOf(options);
    const tags = pairsOf(options.tag ?? [], '--tag', (text) => text);
    const started = await client.startRun({
      body: {
        flow,
        input: await inputOf(options, shell.io),
        trigger: 'cli',
        ...(options.versionId ? { version: options.versionId } : {}),
        ...(options.dedupeKey ? { dedupeKey: options.dedupeKey } : {}),
        ...(options.tag ? { tags } : {}),
        ...(budget ? { budget } : {}),
      },
    });
    if (options.watch) return followAndPrint(client, started.runId, shell, { ...options, until: 'waiting' });
    if (options.json) return printJson(shell, started);
    shell.io.out(`${started.runId}\n`);
    if (started.result === 'duplicate') shell.io.err('This key and input started that run before.\n');
  });

async function inputOf(options: StartOptions, io: Io): Promise<Json> {
  const given = options.input === undefined ? {} : await readInput(options.input, io);
  if (!options.set) return given;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new UsageError('--set names members of an object, and the input given by --input is none.');
  }
  return { ...given, ...pairsOf(options.set, '--set', memberValue) };
}

async function readInput(named: string, io: Io): Promise<Json> {
  if (/^\s*[[{"]/.test(named)) return parseJsonText('The input', named);
  return (await readDocument(named, io)).value;
}

function pairsOf(texts: readonly string[], option: string, parse: (text: string) => Json): JsonObject {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw new UsageError(`${option} ${text}: expected name=value.`);
      return [text.slice(0, at), parse(text.slice(at + 1))];
    }),
  );
}

function memberValue(text: string): Json {
  // Only what looks like JSON: `--set folder=documents` is text, and a long number must not be rounded silently.
  if (!/^(?:true|false|null|-?\d|[[{"])/.test(text)) return text;
  try {
    return parseJsonText('The value', text);
  } catch (error) {
    if (/^[[{"]/.test(text) || /^-?\d+$/.test(text)) throw error;
    return text;
  }
}
