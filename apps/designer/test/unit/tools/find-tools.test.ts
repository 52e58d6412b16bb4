import type { ToolInfo } from '@pawl/api';
import { expect, it } from 'vitest';
import { countByEffect, findTools } from '../../../src/tools/find-tools.ts';

// Would catch: a tool that is there and not found, a class that lists tools of another one.

const tools: ToolInfo[] = [
  { name: 'mail.send', version: '1', title: 'Send a mail', effect: 'non_repeatable' },
  { name: 'files.write', version: '1', description: 'Replaces one FILE.', effect: 'idempotent' },
  { name: 'files.read', version: '2', effect: 'pure' },
];
const found = (filters: Parameters<typeof findTools>[1]) => findTools(tools, filters).map(({ name }) => name);

it.each([
  ['the name', 'files.', ['files.read', 'files.write']],
  ['the version', '@2', ['files.read']],
  ['the title', 'A MAIL', ['mail.send']],
  ['the description', 'one file', ['files.write']],
  ['nothing', ' ', ['files.read', 'files.write', 'mail.send']],
])('tools are found by %s, in the order of their names', (_, search, names) => {
  expect(found({ search })).toEqual(names);
});

it('a class narrows what the search found', () => {
  expect(found({ search: 'file', effect: ['idempotent', 'non_repeatable'] })).toEqual(['files.write']);
});

it('a server narrows it to its own tools', () => {
  const hints = {};
  const mcp = { server: 'hub', tool: 'find', definition: 'd', hints, proposed: 'pure' as const };
  const own: ToolInfo = { name: 'mcp.hub.find', version: '1', effect: 'non_repeatable', mcp };
  const names = (server: string) => findTools([...tools, own], { server }).map(({ name }) => name);
  expect(names('hub')).toEqual(['mcp.hub.find']);
  expect(names('other')).toEqual([]);
});

it('each class is counted, also one without tools', () => {
  expect(countByEffect(tools)).toEqual({ pure: 1, idempotent: 1, non_repeatable: 1 });
  expect(countByEffect([])).toEqual({ pure: 0, idempotent: 0, non_repeatable: 0 });
});
