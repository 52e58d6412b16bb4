import { type Accepted, isAccepted } from '../accepted.ts';
import { describeIssues, ToolInputError, ToolOutputError } from '../errors.ts';
import type { Json } from '../json.ts';
import type { Tool } from '../tool.ts';
import { withFetch } from './replaced-globals.ts';
import { createTestContext, type Seen, spyFetch, type TestContextOptions } from './test-context.ts';

/** The checked output of one execution and what the tool did meanwhile. */
export interface TestedCall {
  /** Null when the service took the call. */
  readonly output: Json;
  /** What the tool returned when its service took the call: `ctx.accepted(…)`. */
  readonly accepted?: Accepted;
  readonly seen: Seen;
}

/**
 * Runs a tool once as a worker would: arguments checked, executed, output checked.
 *
 * While it runs, the `fetch` of the process is replaced too, so that no real request leaves. So run such tests one after
 * another within a process.
 * @throws what the tool throws; {@link ToolInputError}, {@link ToolOutputError} from the checks
 */
export async function testTool<Args>(
  tool: Tool<Args>,
  options: TestContextOptions & { readonly args: unknown },
): Promise<TestedCall> {
  const { ctx, seen } = createTestContext(options);
  const result = await withFetch(spyFetch('global', seen, options.respond, ctx.signal), async () => {
    const parsed = tool.parseInput(options.args);
    if (!parsed.ok) {
      throw new ToolInputError({
        message: `Tool ${tool.ref} refuses the arguments: ${describeIssues(parsed.issues)}.`,
        issues: parsed.issues,
      });
    }
    const returned = await tool.execute(ctx, parsed.value);
    if (isAccepted(returned)) return { output: null, accepted: returned };
    const checked = tool.parseOutput(returned);
    if (!checked.ok) throw new ToolOutputError(tool.ref, checked.issues);
    return { output: checked.value };
  });
  return { ...result, seen };
}
