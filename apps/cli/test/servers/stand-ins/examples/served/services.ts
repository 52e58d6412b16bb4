// Services of an example in tests of `pawl dev`: notes where it was started and that it was stopped.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExampleServices, ServicesPlace } from '../../../../../src/dev/example-services.ts';

export async function startServices({ databaseUrl, folder }: ServicesPlace): Promise<ExampleServices> {
  const note = join(folder, 'note');
  await writeFile(note, `started at ${new URL(databaseUrl).pathname}`);
  return {
    env: { STAND_IN_SERVED: 'served' },
    words: ['service    of the stand-in'],
    stop: () => writeFile(note, 'stopped', { flag: 'a' }),
  };
}
