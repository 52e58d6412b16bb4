// Which mistake would this catch? A flow that runs another tool than the one it names.
import { describe, expect, it } from 'vitest';
import { defineTool, ToolRegistry } from '../src/index.ts';

const make = (name: string, version = '1') =>
  defineTool({ name, version, effect: 'pure', input: true, execute: () => null });

describe('ToolRegistry', () => {
  const find = make('crm.find');
  const registry = new ToolRegistry([make('text.split'), find, make('crm.find', '2')]);

  it('when asked for a reference, the very tool is returned, versions apart', () => {
    expect(registry.get('crm.find@1')).toBe(find);
    expect(registry.require('crm.find@2').version).toBe('2');
    expect(registry.get('crm.find')).toBeUndefined();
  });

  it('when it lists, the order is that of the references', () => {
    expect(registry.declarations().map((tool) => tool.ref)).toEqual([
      'crm.find@1',
      'crm.find@2',
      'text.split@1',
    ]);
  });

  it('when a reference is unknown, the nearest one is proposed', () => {
    expect(() => registry.require('crm.fnid@1')).toThrowError(
      /no tool crm\.fnid@1 here.*Did you mean crm\.find@1\?/,
    );
    expect(() => registry.require('mail.send@1')).toThrowError(/^(?!.*Did you mean)/);
    expect(() => registry.require('mail.send@1')).toThrowError(
      expect.objectContaining({ code: 'tool_unknown' }),
    );
  });

  it('when a reference is taken, another tool is refused and the same one is not', () => {
    expect(() => registry.add(make('crm.find'))).toThrowError(/crm\.find@1 is defined twice/);
    registry.add(find);
    expect(registry.list()).toHaveLength(3);
  });

  it('when a source replaces its tools, those it had and has not any more are gone, and no other', () => {
    const own = new ToolRegistry([find]);
    own.replace('server', [make('server.a'), make('server.b')]);
    const next = make('server.b');
    own.replace('server', [next]);
    expect(own.list().map(({ ref }) => ref)).toEqual(['crm.find@1', 'server.b@1']);
    expect(own.get('server.b@1')).toBe(next);
    expect(() => own.replace('server', [make('server.c'), make('crm.find')])).toThrowError(
      /crm\.find@1 is defined twice/,
    );
    expect(() => own.replace('other', [next])).toThrowError(/server\.b@1 is defined twice/);
    expect(own.list().map(({ ref }) => ref)).toEqual(['crm.find@1', 'server.b@1']);
  });
});
