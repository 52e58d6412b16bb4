// Would catch: a worker that loads only tools without what a compiler has to do for them.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Pawl, startPawl } from '../support/pawl.ts';
import { endOf } from '../support/run-to-end.ts';
import { startFlow } from '../support/watch-run.ts';

const TOOL = `
import { defineTool } from '@pawl/tool-sdk';
import { z } from 'zod';
import { Colour } from './colour';

export const paint = defineTool({
  name: 'paint',
  version: '1',
  effect: 'pure',
  input: z.object({}),
  execute: async () => ({ colour: Colour[Colour.Green] }),
});
`;

let folder: string;
let pawl: Pawl | undefined;
afterEach(async () => {
  await pawl?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('when a tool has an enum and imports without an extension, a worker runs it', async () => {
  folder = mkdtempSync(join(tmpdir(), 'pawl-test-tools-'));
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'tools.ts'), TOOL);
  writeFileSync(join(folder, 'colour.ts'), 'export enum Colour { Red, Green }');
  pawl = await startPawl({ workers: 0 });
  await pawl.startWorker({ PAWL_TOOLS: join(folder, 'tools.ts') });
  const runId = await startFlow(pawl, [{ id: 'own', kind: 'tool', tool: 'paint@1', args: {} }]);
  const { run } = await endOf(pawl, runId);
  expect(run).toMatchObject({ status: 'succeeded', output: { own: { colour: 'Green' } } });
});
