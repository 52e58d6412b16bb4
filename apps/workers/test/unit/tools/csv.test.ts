// Which mistake would this catch? A cell that lands in the wrong column, or text that changes on its way to a file and back.
import type { Json, Tool } from '@pawl/tool-sdk';
import { assertToolContract, createTestContext, testTool } from '@pawl/tool-sdk/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvTools } from '../../../src/tools/csv/index.ts';

const named = (name: string): Tool => csvTools.find((tool) => tool.name === `csv.${name}`)!;
const call = async (name: string, args: Json): Promise<Json> =>
  (await testTool(named(name), { args })).output;
const parsed = async (text: string, more: Record<string, Json> = {}) =>
  (await call('parse', { text, ...more })) as { columns: string[]; rows: Json[]; count: number };

it('both keep their contract', async () => {
  await assertToolContract(named('parse'), {
    args: { text: 'a,b\n1,2\n' },
    invalidArgs: [{}, { text: 'a', delimiter: ',,' }, { text: 'a', header: [] }],
  });
  await assertToolContract(named('stringify'), {
    args: { rows: [{ a: 1 }] },
    invalidArgs: [{}, { rows: [1] }, { rows: [], delimiter: '"' }],
  });
});

describe('csv.parse', () => {
  it('reads quotes, doubled quotes, line ends of every kind and an end without one', async () => {
    expect(await parsed('name,note\r\n"Ana ""A""","two\nlines"\n,\r\nŁukasz,"a,b"')).toEqual({
      columns: ['name', 'note'],
      rows: [
        { name: 'Ana "A"', note: 'two\nlines' },
        { name: '', note: '' },
        { name: 'Łukasz', note: 'a,b' },
      ],
      count: 3,
    });
  });

  it('when it begins with a byte order mark, the first column does not', async () => {
    expect((await parsed('\ufeffa\n1\n')).columns).toEqual(['a']);
  });

  it('when there is no header, rows are lists; when it is given, the first line is a row', async () => {
    expect((await parsed('1,2\n3', { header: false })).rows).toEqual([['1', '2'], ['3']]);
    expect((await parsed('1,2\n', { header: ['x', 'y'] })).rows).toEqual([{ x: '1', y: '2' }]);
    expect(await parsed('')).toEqual({ columns: [], rows: [], count: 0 });
    expect(await parsed('a,b\n')).toEqual({ columns: ['a', 'b'], rows: [], count: 0 });
  });

  it.each([
    ['a;b\n"x,y;z";1,5\n'],
    ['a\tb\n1,2\t3,4\n'],
    ['一|二\n1|2,0\n'],
    ['a,b\n"1;2;3",4\n"x;y",5'],
    ['a;b\r\n1,1;2\r\n"q\r\nr;";3\r\n'],
  ])('when the delimiter of %j is to be found, there are two columns', async (text) => {
    expect((await parsed(text, { delimiter: 'auto' })).columns).toHaveLength(2);
  });

  it('when there is one column, finding a delimiter finds none', async () => {
    expect((await parsed('name\nx\ny\n', { delimiter: 'auto' })).columns).toEqual(['name']);
  });

  it('when types are given, cells are values, and empty ones null', async () => {
    const types = { n: 'number', i: 'integer', b: 'boolean', j: 'json' };
    const { rows } = await parsed('n,i,b,j,s\n1.50,-7,Yes,"{""a"":[1]}",007\n,,,,\n', { types });
    expect(rows).toEqual([
      { n: 1.5, i: -7, b: true, j: { a: [1] }, s: '007' },
      { n: null, i: null, b: null, j: null, s: '' },
    ]);
  });

  it.each([
    ['number', '1,5'],
    ['number', 'Infinity'],
    ['number', '1e999'],
    ['integer', '1.0'],
    ['integer', '9007199254740993'],
    ['boolean', 'maybe'],
    ['json', '{a:1}'],
  ])('when a cell is no %s (%j), line and column are named', async (type, cell) => {
    const failing = parsed(`k;v\nfirst;\nsecond;"${cell}"\n`, { delimiter: ';', types: { v: type } });
    await expect(failing).rejects.toMatchObject({
      code: 'csv_invalid',
      message: expect.stringMatching(/line 3, column "v"/),
    });
  });

  it.each([
    ['a quote that is never closed', 'a,b\n"1,2\n', {}],
    ['something behind a closing quote', 'a,b\n"1"x,2\n', {}],
    ['a record that is too short', 'a,b\n1\n', {}],
    ['a record that is too long', 'a,b\n1,2,3\n', { ragged: 'pad' }],
    ['two columns of one name', 'a,a\n1,2\n', {}],
    ['a column that no object can have', '__proto__,a\n1,2\n', {}],
  ] as [string, string, Record<string, Json>][])('refuses %s', async (_case, text, more) => {
    await expect(parsed(text, more)).rejects.toMatchObject({ code: 'csv_invalid' });
  });

  it('when short records are padded, what is missing is empty', async () => {
    expect((await parsed('a,b\n1\n', { ragged: 'pad' })).rows).toEqual([{ a: '1', b: '' }]);
  });

  it('when there are more rows than wanted, it says so', async () => {
    await expect(parsed('a\n1\n2\n3\n', { maxRows: 2 })).rejects.toMatchObject({ code: 'csv_too_many_rows' });
    await expect(parsed(`a\n${'x'.repeat(16 * 1024 * 1024)}`)).rejects.toMatchObject({
      code: 'csv_too_large',
    });
    await expect(parsed(`a\n"${'x'.repeat(2 * 1024 * 1024)}`)).rejects.toMatchObject({ code: 'csv_invalid' });
  });

  it('when a type is given for a column that is not there, it says what is there', async () => {
    await expect(parsed('a\n1\n', { types: { b: 'number' } })).rejects.toMatchObject({
      code: 'tool_input',
      message: expect.stringContaining('"a"'),
    });
  });

  it('when the text is an artifact, its charset counts', async () => {
    const { ctx } = createTestContext();
    // 名字,城市 in GBK.
    const data = Buffer.from('c3fbd7d62cb3c7cad00a', 'hex');
    const artifact = await ctx.artifacts.put({ name: 'cities.csv', mediaType: 'text/csv', data });
    const tool = named('parse');
    const run = (args: Json) => {
      const input = tool.parseInput(args);
      if (!input.ok) throw new Error(JSON.stringify(input.issues));
      return tool.execute(ctx, input.value);
    };
    expect(await run({ artifact, charset: 'gbk' })).toMatchObject({ columns: ['名字', '城市'], count: 0 });
    await expect(run({ artifact })).rejects.toMatchObject({ code: 'not_text' });
    await expect(run({ artifact, charset: 'klingon' })).rejects.toMatchObject({ code: 'charset_unknown' });
  });

  it('when the process has other things to do, a long text does not keep it from them', async () => {
    let turns = 0;
    let isDone = false;
    const tick = (): void => {
      turns++;
      if (!isDone) setImmediate(tick);
    };
    tick();
    await parsed(`a,b\n${`1,${'x'.repeat(1_000)}\n`.repeat(400)}`);
    isDone = true;
    expect(turns).toBeGreaterThan(4);
  });
});

describe('csv.stringify', () => {
  it('writes what RFC 4180 says', async () => {
    const rows: Json[] = [
      { a: 'x', b: 'say "hi"' },
      { b: 'two\nlines', c: 1.5 },
      { a: 'p,q', c: { k: [true] } },
    ];
    expect(await call('stringify', { rows })).toBe(
      'a,b,c\r\nx,"say ""hi""",\r\n,"two\nlines",1.5\r\n"p,q",,"{""k"":[true]}"\r\n',
    );
  });

  it('when columns are named, they and no others are written, in that order', async () => {
    const rows = [{ a: 1, b: 2 }];
    expect(await call('stringify', { rows, columns: ['b', 'toString'], lineEnd: '\n' })).toBe(
      'b,toString\n2,\n',
    );
    expect(
      await call('stringify', { rows: [[1, 2]], columns: ['x', 'y'], delimiter: ';', lineEnd: '\n' }),
    ).toBe('x;y\n1;2\n');
    expect(await call('stringify', { rows: [], byteOrderMark: true })).toBe('\ufeff');
  });

  it('when asked, text that a spreadsheet would run is disarmed; numbers are left alone', async () => {
    const rows = [['=1+1', '@a', -5, '-5', '＝1', 'plain']];
    expect(await call('stringify', { rows, escapeFormulas: true })).toBe("'=1+1,'@a,-5,'-5,'＝1,plain\r\n");
  });

  it('when rows are of two kinds or lengths, the row is named', async () => {
    await expect(call('stringify', { rows: [{ a: 1 }, [1]] })).rejects.toMatchObject({
      issues: [{ pointer: '/rows/1' }],
    });
    await expect(call('stringify', { rows: [[1]], columns: ['a', 'b'] })).rejects.toMatchObject({
      issues: [{ pointer: '/rows/0' }],
    });
  });

  it('when what it wrote is read again, every cell is the same', async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', ' ', '\t', 'é', '🌍', '=', '\0'),
    });
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width })));
    await fc.assert(
      fc.asyncProperty(table, fc.constantFrom(',', ';', '\t'), async (rows, delimiter) => {
        const text = (await call('stringify', { rows, delimiter })) as string;
        const again = await parsed(text, { header: false, delimiter, skipEmptyLines: false });
        expect(again.rows).toEqual(rows);
      }),
    );
  });
});
