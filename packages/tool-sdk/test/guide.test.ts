// Which mistake would this catch? A guide whose examples no longer work.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadTools, type Tool } from '../src/index.ts';
import { assertToolContract, testTool } from '../src/testing/index.ts';

const guide = join(import.meta.dirname, '..', '..', '..', 'docs', 'guide', 'writing-a-tool.md');
let folder: string;
let tools: Tool[];
beforeAll(async () => {
  // Beside this file, so that the example finds the packages it imports.
  folder = await mkdtemp(join(import.meta.dirname, '.guide-'));
  const source = /```ts file=tools\.ts\n([\s\S]*?)```/.exec(await readFile(guide, 'utf8'))![1]!;
  await writeFile(join(folder, 'tools.ts'), source);
  tools = await loadTools('./tools.ts', { from: folder });
});
afterAll(() => rm(folder, { recursive: true }));

it('when the module of the guide is loaded, its tools keep their contract', async () => {
  expect(tools.map((tool) => tool.ref)).toEqual(['crm.create_ticket@1', 'crm.find@1']);
  const [createTicket, findCustomer] = tools as [Tool, Tool];
  await assertToolContract(createTicket, {
    args: { customerId: 'c-1', subject: 'Broken pump' },
    invalidArgs: [{ customerId: 'c-1' }],
    secrets: { CRM_TOKEN: 'secret' },
    respond: () => Response.json({ id: 't-7' }),
  });
  await assertToolContract(findCustomer, {
    args: { email: 'a@example.org' },
    respond: () => Response.json({ id: 'c-1', name: 'Ada' }),
  });
});

it('when the service knows nobody, the pure tool of the guide answers null', async () => {
  const respond = (): Response => new Response(null, { status: 404 });
  const { output } = await testTool(tools[1]!, { args: { email: 'a@example.org' }, respond });
  expect(output).toBeNull();
});
