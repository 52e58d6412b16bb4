import type { ExpressionEnv, ExpressionScope, Json } from '../../src/index.ts';

/** A scope with the given input and node outputs; everything else is fixed. */
export function aScope(input: Json = null, outputs: Record<string, Json> = {}): ExpressionScope {
  return {
    input,
    nodes: Object.fromEntries(
      Object.entries(outputs).map(([id, output]) => [id, { output, status: 'succeeded' }]),
    ),
    run: { id: 'run-1', startedAt: '2026-01-02T03:04:05.000Z' },
  };
}

/** An environment that counts how often its clock and its randomness are used. */
export function anEnv(
  limits: Partial<ExpressionEnv> = {},
): ExpressionEnv & { clockReads: number; draws: number } {
  const env: ExpressionEnv & { clockReads: number; draws: number } = {
    clockReads: 0,
    draws: 0,
    now() {
      env.clockReads += 1;
      return Date.UTC(2026, 0, 2, 3, 4, 5);
    },
    random() {
      env.draws += 1;
      return (env.draws * 0.37) % 1;
    },
    ...limits,
  };
  return env;
}
