import type { Json } from '@pawl/dag-core';
import { type CodeCall, createSandbox, type Sandbox } from './sandbox.ts';

let shared: Sandbox | undefined;

/** Runs code in a sandbox shared by this process (two threads); see {@link Sandbox.run}. */
export function runCode(call: CodeCall): Promise<Json> {
  shared ??= createSandbox({ threads: 2 });
  return shared.run(call);
}
