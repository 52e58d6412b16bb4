// Would catch: a benchmark that reports figures of something else than was measured, or prints JSON that a reader cannot rely on.
import { describe, expect, it } from 'vitest';
import { cpuBetween, cpuPer1000, totalCpu } from '../bench/cpu.ts';
import { readOptions } from '../bench/options.ts';
import { jsonReport, tableReport } from '../bench/report.ts';
import { median, type Result, spread } from '../bench/result.ts';

const names = ['chain-pure', 'recovery'];
const result: Result = {
  workload: 'chain-pure',
  backend: 'redis',
  unit: 'node runs/s',
  median: 12_345.678,
  min: 0.012345,
  max: 99.987,
  rounds: 3,
  cpuSecondsPer1000: 0.1234567,
  cpuByProcess: { engine: 0.1, worker: 0.0234567 },
};

describe('options of the benchmark', () => {
  it('when nothing is given, everything is measured on both backends in three rounds', () => {
    expect(readOptions([], names)).toEqual({
      json: false,
      quick: false,
      only: [],
      backends: ['redis', 'postgres'],
      rounds: 3,
    });
  });

  it('when workloads and a backend are named, only they are measured', () => {
    const options = readOptions(
      ['--json', '--quick', '--only', 'recovery, raw', '--backend', 'postgres', '--rounds', '5'],
      names,
    );
    expect(options).toEqual({
      json: true,
      quick: true,
      only: ['recovery', 'raw'],
      backends: ['postgres'],
      rounds: 5,
    });
  });

  it.each([
    [['--only', 'nope'], /no workload nope; there are chain-pure, recovery, raw/],
    [['--backend', 'kafka'], /--backend is kafka; expected redis or postgres/],
    [['--rounds', '0'], /--rounds is 0; expected a whole number from 1/],
    [['--fast'], /--fast/],
  ])('when an argument is wrong (%j), it is named', (args, message) => {
    expect(() => readOptions(args, names)).toThrow(message);
  });
});

describe('figures of the benchmark', () => {
  it('takes the middle value, or the mean of the two in the middle', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([1, 2, 10, 4])).toBe(3);
    expect(spread([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3, rounds: 3 });
  });

  it('adds up CPU time of all rounds before it divides by node runs', () => {
    const cpu = cpuBetween({ worker: 10, bench: 1 }, { worker: 12, bench: 1.5, redis: 0.25 });
    expect(cpu).toEqual({ worker: 2, bench: 0.5, redis: 0.25 });
    const per1000 = cpuPer1000([
      { cpu, nodeRuns: 1_000 },
      { cpu: { worker: 0, bench: 0, redis: 0 }, nodeRuns: 3_000 },
    ]);
    expect(per1000).toEqual({ worker: 0.5, bench: 0.125, redis: 0.0625 });
    expect(totalCpu(per1000)).toBeCloseTo(0.6875);
    expect(totalCpu({})).toBeNull();
  });

  it('when JSON is asked for, prints exactly one object with sensible digits', () => {
    const report = JSON.parse(jsonReport({ rowsInsertedPerSecond: 31_999.6 }, [result]));
    expect(report).toEqual({
      raw: { rowsInsertedPerSecond: 32_000 },
      results: [
        {
          ...result,
          median: 12_346,
          min: 0.0123,
          max: 100,
          cpuSecondsPer1000: 0.123,
          cpuByProcess: { engine: 0.1, worker: 0.0235 },
        },
      ],
    });
  });

  it('shows a process that was not counted as a dash, and a missing part not at all', () => {
    const table = tableReport({}, [result]);
    expect(table).toMatch(/chain-pure\s+│ redis\s+│\s+12,346 │\s+0\.0123 │\s+100/);
    expect(table).toMatch(/0\.1 │\s+0\.0235 │\s+– │\s+– │\s+–/);
    expect(table).not.toContain('Limits of this machine');
  });
});
