import {
  createToolFetch,
  type Json,
  type Tool,
  type ToolContext,
  type ToolFetch,
  toFailure,
} from '@pawl/tool-sdk';
import { createTestContext, type Seen, type TestContextOptions } from '@pawl/tool-sdk/testing';
import { createGuardedFetch } from '../../src/network/guarded-fetch.ts';
import { AddressRules } from '../../src/network/index.ts';

/** What became of one execution, read as a worker reads it. */
export type Ran =
  | { readonly output: Json; readonly seen: Seen }
  | { readonly failure: ReturnType<typeof toFailure>; readonly seen: Seen };

/** Executes a tool once with a context that really sends; this machine is allowed unless `allow` says otherwise. */
export async function run(
  tool: Tool,
  args: Json,
  options: TestContextOptions & { readonly allow?: string } = {},
): Promise<Ran> {
  const { ctx, seen } = createTestContext(options);
  const { idempotencyKey, signal } = ctx;
  const fetch = createGuardedFetch({
    rules: AddressRules.parse(options.allow ?? '127.0.0.0/8, ::1'),
    reuse: 'reads',
  });
  const toolFetch: ToolFetch = createToolFetch({ idempotencyKey, signal, fetch });
  const parsed = tool.parseInput(args);
  if (!parsed.ok) throw new Error(`The arguments are refused: ${JSON.stringify(parsed.issues)}`);
  const real: ToolContext = Object.create(ctx, { fetch: { value: toolFetch.fetch } });
  try {
    const checked = tool.parseOutput(await tool.execute(real, parsed.value));
    if (!checked.ok) throw new Error(`The output does not fit: ${JSON.stringify(checked.issues)}`);
    return { output: checked.value, seen };
  } catch (error) {
    const { effect } = tool;
    return { failure: toFailure(error, { effect, signal, mayHaveSent: toolFetch.mayHaveSent() }), seen };
  }
}
