import { seededRandom } from '../runtime/random.ts';
import type { PureExecutor } from '../runtime/step.ts';
import { runCode } from '../sandbox/index.ts';
import { failed } from './evaluated.ts';

const DEFAULT_TIMEOUT_MS = 1_000;
const DEFAULT_MEMORY_MB = 64;

/** K: runs the node's JavaScript in the sandbox, on the input and the outputs its source names. */
export const code: PureExecutor = async (step) => {
  const { config } = step.node;
  if (config.kind !== 'code') throw new TypeError(`${step.handle.path} is no code node`);
  try {
    const { input, nodes, item, index } = await step.context.scope(step.scopePath, step.compiled.reads ?? []);
    const outputs = Object.fromEntries(Object.entries(nodes).map(([id, view]) => [id, view]));
    const nowMs = Date.now();
    const output = await runCode({
      source: config.source,
      scope: { input, nodes: outputs as never, ...(index !== undefined && { item: item ?? null, index }) },
      timeoutMs: config.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      memoryMb: config.memoryMb ?? DEFAULT_MEMORY_MB,
      now: nowMs,
      random: seededRandom(step.context.seed, step.handle.path),
    });
    return { type: 'succeeded', output, ...(/\bDate\b/.test(config.source) && { clock: nowMs }) };
  } catch (error) {
    return failed(error);
  }
};
