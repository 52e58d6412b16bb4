import type { ModelCallContext, ModelCallError, ModelProvider, ModelRequest } from '@pawl/tool-sdk';

/** A request with one user message. */
export function aRequest(content: string, more: Partial<ModelRequest> = {}): ModelRequest {
  return { model: 'writer', messages: [{ role: 'user', content }], parameters: {}, ...more };
}

/** What surrounds a call that nobody aborts. */
export function aContext(more: Partial<ModelCallContext> = {}): ModelCallContext {
  return { idempotencyKey: 'run_1/node/0', signal: new AbortController().signal, ...more };
}

/** The error of a call that must fail. */
export async function failureOf(
  provider: ModelProvider,
  request: ModelRequest,
  context: ModelCallContext = aContext(),
): Promise<ModelCallError> {
  try {
    await provider.call(request, context);
  } catch (error) {
    return error as ModelCallError;
  }
  throw new Error('The call succeeded, but it had to fail.');
}
