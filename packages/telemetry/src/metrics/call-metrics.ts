import type { Intent, ModelAnswer } from '@pawl/dag-core';
import { Counter, Histogram, type Registry } from 'prom-client';

const SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** Times calls of tools and models. Labels are names of what is registered, and how it ended: their number is bounded. */
export class CallMetrics {
  readonly #tools;
  readonly #models;
  readonly #tokens;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#tools = new Histogram({
      name: 'pawl_tool_call_seconds',
      help: 'Calls of tools',
      labelNames: ['tool', 'result'],
      buckets: SECONDS,
      registers,
    });
    this.#models = new Histogram({
      name: 'pawl_model_call_seconds',
      help: 'Calls of models',
      labelNames: ['provider', 'result'],
      buckets: SECONDS,
      registers,
    });
    this.#tokens = new Counter({
      name: 'pawl_model_tokens_total',
      help: 'Tokens that models read and wrote',
      labelNames: ['provider', 'direction'],
      registers,
    });
  }

  ended(
    { effect, target }: Pick<Intent, 'effect' | 'target'>,
    seconds: number,
    error: string | undefined,
    answer: ModelAnswer | undefined,
  ): void {
    const result = error === undefined ? 'ok' : 'failed';
    if (effect !== 'model') {
      this.#tools.observe({ tool: target, result }, seconds);
      return;
    }
    const provider = target.slice(0, target.indexOf(':'));
    this.#models.observe({ provider, result }, seconds);
    if (!answer) return;
    this.#tokens.inc({ provider, direction: 'in' }, answer.usage.input);
    this.#tokens.inc({ provider, direction: 'out' }, answer.usage.output);
  }
}
