// Would catch: a benchmark of the designer that compares what was not measured side by side, or calls an aim reached that is not.
import { describe, expect, it } from 'vitest';
import { findProblems } from '../../apps/designer/src/editor/index.ts';
import { swing } from '../bench-designer/drawing.ts';
import { drawnFlow } from '../bench-designer/drawn-flow.ts';
import { MEASURES } from '../bench-designer/measures.ts';
import { readOptions } from '../bench-designer/options.ts';
import { jsonReport, tableReport } from '../bench-designer/report.ts';
import { figureOf, quantile, Samples } from '../bench-designer/samples.ts';

const samples = (...values: number[]) => values.map((value) => ({ value }));
const panned = { name: 'pan', size: 200, what: 'the canvas is dragged', aim: { ratio: 1.3 } };

describe('options of the benchmark of the designer', () => {
  it('when nothing is given, everything is measured at all sizes in three rounds', () => {
    expect(readOptions([], MEASURES)).toEqual({
      json: false,
      quick: false,
      only: [],
      sizes: [50, 200, 1_000],
      rounds: 3,
    });
  });

  it('when it is to be quick, one round is enough unless more are asked for', () => {
    expect(readOptions(['--quick'], MEASURES).rounds).toBe(1);
    expect(readOptions(['--quick', '--rounds', '2'], MEASURES).rounds).toBe(2);
  });

  it.each([
    [['--only', 'nope'], /no measure nope; there are bundles, load, status, open/],
    [['--sizes', '60'], /names 60; expected 50, 200, 1000/],
    [['--rounds', '0'], /--rounds is 0; expected a whole number from 1/],
    [['--fast'], /--fast/],
  ])('when an argument is wrong (%j), it is named', (args, message) => {
    expect(() => readOptions(args, MEASURES)).toThrow(message);
  });
});

describe('figures of the benchmark of the designer', () => {
  it('compares round by round, so that a slow round of both is no difference', () => {
    const { ratio, ours, bare } = figureOf(panned, { ours: samples(20, 44, 24), bare: samples(10, 40, 20) });
    expect(ratio).toBeCloseTo(1.2);
    expect([ours.median, bare?.median]).toEqual([24, 20]);
  });

  it.each([
    [{ ratio: 1.3 }, 13, 10, true],
    [{ ratio: 1.3 }, 14, 10, false],
    [{ ms: 100 }, 100, 1, true],
    [{ ms: 100 }, 101, 1_000, false],
  ])('when the aim is %j and the sides took %i and %i ms, it is reached: %s', (aim, one, other, isMet) => {
    const figure = figureOf({ ...panned, aim }, { ours: samples(one), bare: samples(other) });
    expect(figure.isMet).toBe(isMet);
  });

  it('refuses a sample that is no number', () => {
    expect(() => new Samples().add(panned, 'ours', { value: Number.NaN })).toThrow('pan gave NaN on ours');
  });

  it('takes the value that 95 of 100 do not pass', () => {
    const values = Array.from({ length: 100 }, (_, at) => 100 - at);
    expect([quantile(values, 0.95), quantile(values, 1), quantile([], 0.5)]).toEqual([95, 100, 0]);
  });

  it('prints one object, or a table with what is aimed at', () => {
    const all = new Samples();
    all.add(panned, 'ours', { value: 20.123, details: { cpuMsPerMove: 4 } });
    all.add(panned, 'bare', { value: 10, details: { cpuMsPerMove: 2 } });
    const report = { figures: all.figures(), bundles: [{ screen: 'bare', bytes: 2_048 }] };
    expect(JSON.parse(jsonReport(report))).toMatchObject({
      figures: [
        { name: 'pan', ratio: 2.01, isMet: false, ours: { median: 20.1, details: { cpuMsPerMove: 4 } } },
      ],
      bundles: [{ bytes: 2_048 }],
    });
    expect(tableReport(report)).toMatch(/pan\s+│\s+200 │.*2\.01 × │ ≤ 1\.3 × │ no\s+│\s+4 \/ 2 │/);
  });
});

describe('what is measured', () => {
  it.each([50, 200, 1_000])(
    'a flow of %i nodes has as many, more edges than nodes, and one problem',
    (size) => {
      const document = drawnFlow('drawn', size);
      expect(document.nodes.length).toBe(size);
      expect(document.edges.length / size).toBeGreaterThanOrEqual(1.1);
      expect(findProblems(document).map(({ code, node }) => [code, node])).toEqual([
        ['reference_unknown_node', `n${size}`],
      ]);
    },
  );

  it('a gesture ends where it says, and goes far to both sides', () => {
    const path = swing(60, { x: 100, y: 50 }, { x: 10, y: 5 });
    expect(path.at(-1)).toEqual({ x: 10, y: 5 });
    expect(Math.max(...path.map(({ x }) => x))).toBeGreaterThan(95);
    expect(Math.min(...path.map(({ x }) => x))).toBeLessThan(-85);
  });
});
