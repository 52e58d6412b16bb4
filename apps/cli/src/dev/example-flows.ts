import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@pawl/api';
import type { Json } from '@pawl/dag-core';
import { readFlowFile } from '../commands/flow-document.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { parseJsonText } from '../read-document.ts';
import type { DevParts } from './dev-parts.ts';
import { hasServices } from './example-services.ts';

/** An example that was published. */
export interface PublishedExample {
  readonly folder: string;
  readonly flow: string;
  readonly number: number;
  readonly created: boolean;
}

/**
 * Publishes the examples; one that was published before stays as it is. Of those with services of their own only the one
 * that was started with them: the tools of the others are not there.
 *
 * @throws {FlowInvalidError} {ApiError} when one is refused: the examples are part of the release
 */
export async function publishExamples(
  client: Client,
  { examples, mainExample }: Pick<DevParts, 'examples' | 'mainExample'>,
  io: Io,
): Promise<PublishedExample[]> {
  const published: PublishedExample[] = [];
  for (const { name, file } of await exampleFiles(examples)) {
    if (name !== mainExample && hasServices(examples, name)) continue;
    const { value } = await readFlowFile(file, io);
    const { version, created } = await client.publishFlow({ params: { flow: value.name }, body: value });
    published.push({ folder: name, flow: value.name, number: version.number, created });
  }
  return published;
}

/** The input that comes with an example. */
export async function exampleInput(folder: string, name: string): Promise<Json> {
  const file = join(folder, name, 'input.json');
  return parseJsonText(file, await readFile(file, 'utf8'));
}

/** @throws {UsageError} when there is no example of that name */
export async function checkExample(folder: string, name: string): Promise<void> {
  const names = (await exampleFiles(folder)).map((example) => example.name);
  if (names.includes(name)) return;
  throw new UsageError(`There is no example ${name}: choose one of ${names.join(', ')}.`);
}

async function exampleFiles(folder: string): Promise<{ name: string; file: string }[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: false });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const found = await Promise.all(
    names.sort().map(async (name) => {
      const files = await readdir(join(folder, name));
      const file = ['flow.yaml', 'flow.json'].find((each) => files.includes(each));
      return file ? [{ name, file: join(folder, name, file) }] : [];
    }),
  );
  return found.flat();
}
