import type { Json, JsonObject } from '@pawl/dag-core';
import type { Command } from 'commander';
import { collect } from '../command.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { parseJsonText, readDocument } from '../read-document.ts';

export interface InputOptions {
  readonly input?: string;
  readonly set?: string[];
}

/** Options that say what the input of a run is. */
export const addInputOptions = (command: Command): Command =>
  command
    .option(
      '-i, --input <file or JSON>',
      'run input: a JSON or YAML file, - for standard input, or JSON itself',
    )
    .option(
      '-s, --set <name=value>',
      'one member of the input; JSON where it parses, else text (repeatable)',
      collect,
    );

/** The input that the options give; without any `{}`. @throws {UsageError} */
export async function inputOf(options: InputOptions, io: Io): Promise<Json> {
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

/** `name=value` of a repeatable option as one object. @throws {UsageError} */
export function pairsOf(texts: readonly string[], option: string, parse: (text: string) => Json): JsonObject {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw new UsageError(`${option} ${text}: expected name=value.`);
      return [text.slice(0, at), parse(text.slice(at + 1))];
    }),
  );
}

/** What a member is given: JSON where it looks like it, else the text itself. */
export function memberValue(text: string): Json {
  // Only what looks like JSON: `--set folder=documents` is text, and a long number must not be rounded silently.
  // An expression in braces is text, too.
  if (!/^(?:true|false|null|-?\d|[["]|[{](?![{]))/.test(text)) return text;
  try {
    return parseJsonText('The value', text);
  } catch (error) {
    if (/^[[{"]/.test(text) || /^-?\d+$/.test(text)) throw error;
    return text;
  }
}
