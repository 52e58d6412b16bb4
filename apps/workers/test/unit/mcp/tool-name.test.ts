// Would catch: a tool whose name no flow can write, or that is called by another's name.
import { describe, expect, it } from 'vitest';
import { toolName } from '../../../src/mcp/tool-name.ts';

describe('toolName', () => {
  it.each([
    ['search_issues', 'mcp.hub.search_issues'],
    ['search-issues', 'mcp.hub.search_issues'],
    ['createIssue', 'mcp.hub.create_issue'],
    ['Get2FACode', 'mcp.hub.get2_facode'],
    ['admin.users.list', 'mcp.hub.admin.users.list'],
    ['2fa', 'mcp.hub.tool_2fa'],
    ['__private__', 'mcp.hub.private'],
    ['a..b', 'mcp.hub.a.b'],
    ['x'.repeat(92), `mcp.hub.${'x'.repeat(92)}`],
  ])('when a server calls a tool %s, flows call it %s', (name, expected) => {
    expect(toolName('hub', name)).toBe(expected);
  });

  it.each(['', '---', '查找', 'x'.repeat(93)])('when nothing can be made of %j, there is no name', (name) => {
    expect(toolName('hub', name)).toBeUndefined();
  });
});
