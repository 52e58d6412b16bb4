import type { Client } from '@pawl/api';
import { Command, InvalidArgumentError } from 'commander';
import { type ConnectionOptions, connect } from './connection.ts';
import type { ExitCode } from './errors.ts';
import type { Io } from './io.ts';

/** Where commands put their exit code; none: 0. */
export interface Outcome {
  exitCode: ExitCode;
}

/** What every command works with. */
export interface Shell {
  readonly io: Io;
  readonly outcome: Outcome;
}

/** Options of every command. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly verbose?: boolean;
}
export type ClientOptions = CommonOptions & ConnectionOptions;

/** A command with the options that all have. */
export function newCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option('--json', 'print JSON for programs instead of text for people')
    .option('--verbose', 'show where an error comes from');
}

/** A command that talks to an engine. */
export function newClientCommand(name: string, description: string): Command {
  return newCommand(name, description)
    .option('--url <address>', 'address of the engine (PAWL_URL; default: the running "pawl dev")')
    .option('--key <key>', 'API key (PAWL_API_KEY)');
}

/** The client for a command's options. */
export const clientFor = (options: ClientOptions, shell: Shell): Client => connect(options, shell.io);

/** Prints a value as JSON, with line ends and indents on a terminal only. */
export function printJson(shell: Shell, value: unknown): void {
  shell.io.out(`${JSON.stringify(value, null, shell.io.isTerminal ? 2 : undefined)}\n`);
}

/** Parser of an option that takes a whole number. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };

/** Parser of an option that takes a number of 0 or more. */
export function amount(text: string): number {
  const value = Number(text);
  if (/^\d+([.]\d+)?$/.test(text) && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('Expected a number, 0 or more.');
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parser of an option that takes a length of time, such as `90s`, `15m`, `2h` or `1d`; gives milliseconds. */
export function lengthOfTime(text: string): number {
  const [, amount, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? [];
  if (amount !== undefined && unit !== undefined) return Number(amount) * UNITS[unit]!;
  throw new InvalidArgumentError('Expected a whole number with a unit: 500ms, 90s, 15m, 2h or 1d.');
}

/** Parser of an option that takes an instant, ISO 8601; gives it in UTC. */
export function instant(text: string): string {
  const at = Date.parse(text);
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(at)) return new Date(at).toISOString();
  throw new InvalidArgumentError('Expected an instant like 2026-01-31T12:00:00Z.');
}

/** Parser of an option that may be given several times. */
export const collect = (value: string, before: readonly string[] | undefined): string[] => [
  ...(before ?? []),
  value,
];
