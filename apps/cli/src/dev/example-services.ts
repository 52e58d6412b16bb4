import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleOf } from '../../../../scripts/bundle.js';

/** What an example needs beside Pawl: tables with its data, services that its tools call. */
export interface ExampleServices {
  /** Tells workers where all that is. */
  readonly env: Readonly<Record<string, string>>;
  /** For people: a line for each service. */
  readonly words: readonly string[];
  stop(): Promise<void>;
}

/** Where an example's services may keep things. */
export interface ServicesPlace {
  /** Of a database that they share with Pawl: they keep to a schema of their own. */
  readonly databaseUrl: string;
  /** A folder of their own that outlives a start. */
  readonly folder: string;
}

const FILE = 'services.ts';

/** An example that has services is there for those who start it with them only. */
export const hasServices = (examples: string, name: string): boolean =>
  existsSync(join(examples, name, FILE));

/** Starts the services of an example, with `startServices` of its `services.ts`; undefined when it has none. */
export async function startExampleServices(
  examples: string,
  name: string,
  place: ServicesPlace,
): Promise<ExampleServices | undefined> {
  if (!hasServices(examples, name)) return undefined;
  await mkdir(place.folder, { recursive: true });
  const module = (await import(pathToFileURL(await bundleOf(join(examples, name, FILE))).href)) as {
    startServices(place: ServicesPlace): Promise<ExampleServices>;
  };
  return module.startServices(place);
}
