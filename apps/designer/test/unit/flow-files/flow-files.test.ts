// Would catch: a file that is taken for another, a starter that cannot be published, a shell line that breaks at a quote.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FlowDocument, type ToolDeclaration, validateFlow } from '@pawl/dag-core';
import { describe, expect, it } from 'vitest';
import { builtinTools } from '../../../../workers/src/tools/index.ts';
import { curlLine } from '../../../src/flow-files/curl-line.ts';
import { freeName, isFlowName, nameFrom } from '../../../src/flow-files/flow-name.ts';
import { readFlowText } from '../../../src/flow-files/read-flow-text.ts';
import { sampleInput } from '../../../src/flow-files/sample-input.ts';

describe('the text of a flow', () => {
  it('is read from YAML and from JSON alike', async () => {
    const document = { name: 'a', nodes: [{ id: 'x', value: null }] };
    expect(await readFlowText('name: a\nnodes: [{ id: x, value: null }]')).toEqual({ document });
    expect(await readFlowText(`\n ${JSON.stringify(document)}`)).toEqual({ document });
  });

  it('that cannot be read says where and why', async () => {
    const issueOf = async (text: string) => (await readFlowText(text)).issues?.[0];
    expect(await issueOf('name: a\nnodes: [')).toMatchObject({ place: expect.stringMatching(/^2:/) });
    expect(await issueOf('{"name": }')).toMatchObject({ message: expect.stringContaining('not JSON') });
    expect(await issueOf('{"a": {"b": 9007199254740993}}')).toMatchObject({ place: '/a/b' });
    expect(await issueOf('a:\n  b: 9007199254740993')).toMatchObject({ place: '/a/b' });
    expect(await issueOf('- a\n- b')).toMatchObject({
      message: expect.stringContaining('Expected an object'),
    });
    expect(await issueOf('   ')).toMatchObject({ message: expect.stringContaining('empty') });
  });

  it('whose aliases would grow without end is refused', async () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      'b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]',
      'c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]',
      'd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]',
    ];
    expect((await readFlowText(bomb.join('\n'))).issues).toHaveLength(1);
  });
});

describe('the name of a flow', () => {
  it('is made from a title, and is one that the engine takes', () => {
    expect(nameFrom('  Äpfel & Birnen! ')).toBe('apfel-birnen');
    expect(nameFrom('排序')).toBe('');
    expect(isFlowName(nameFrom(`${'long '.repeat(40)}`))).toBe(true);
  });

  it('that is taken gets a number, within its length', () => {
    expect(freeName('a', new Set(['b']))).toBe('a');
    expect(freeName('a', new Set(['a', 'a-2']))).toBe('a-3');
    const long = 'x'.repeat(100);
    expect(isFlowName(freeName(long, new Set([long])))).toBe(true);
  });
});

describe('the input of a run', () => {
  it('begins with what the schema names, and with every value that it demands', () => {
    const schema = {
      type: 'object',
      required: ['name', 'count', 'on', 'list', 'kind'],
      properties: {
        name: { type: 'string', examples: ['Ada'] },
        count: { type: 'integer', minimum: 3 },
        on: { type: 'boolean' },
        list: { type: 'array' },
        kind: { enum: ['small', 'large'] },
        more: { type: 'string', default: 'x' },
        left: { type: 'string' },
      },
    };
    expect(sampleInput(schema)).toEqual({
      name: 'Ada',
      count: 3,
      on: false,
      list: [],
      kind: 'small',
      more: 'x',
    });
    expect(sampleInput(undefined)).toEqual({});
  });

  it('is quoted for the shell', () => {
    const input = { text: 'it\'s "$HOME" \\ `x`' };
    const line = curlLine('http://127.0.0.1:7420', 'greet', input).replace(/^curl -sS/, 'printf "%s\\n"');
    const printed = execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' }).trimEnd().split('\n');
    expect(JSON.parse(printed.at(-1)!)).toEqual({ flow: 'greet', input });
    expect(line).not.toContain('authorization');
    expect(curlLine('https://pawl.example.com', 'greet', {})).toContain('Bearer $PAWL_API_KEY');
  });
});

const STARTERS = join(import.meta.dirname, '../../../src/screens/flows/starters');
describe.each(readdirSync(STARTERS))('the starter %s', (file) => {
  it('can be published where there are the built-in tools and the simulator, and begins with a whole input', async () => {
    const { document } = await readFlowText(readFileSync(join(STARTERS, file), 'utf8'));
    const tools = new Map(
      builtinTools({ filesRoot: '/' }).map((tool) => [
        tool.ref,
        { ...tool.declaration(), input: tool.inputSchema } as ToolDeclaration,
      ]),
    );
    expect(validateFlow(document, { tools }).issues).toEqual([]);
    const { name, input } = document as unknown as FlowDocument;
    expect(`${name}.yaml`).toBe(file);
    for (const value of Object.values(sampleInput(input) as object)) expect(value).not.toBe('');
  });
});
