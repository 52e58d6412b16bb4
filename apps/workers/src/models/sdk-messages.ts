import type { OpenAIProvider } from '@ai-sdk/openai';
import type { ModelMessage, ModelTool, ModelToolCall } from '@pawl/tool-sdk';

// Messages and tools in the form of the AI SDK (specification V3).

type SdkOptions = Parameters<ReturnType<OpenAIProvider['chat']>['doGenerate']>[0];
type SdkMessage = SdkOptions['prompt'][number];
type SdkTool = NonNullable<SdkOptions['tools']>[number];

/** A message as the SDK takes it. */
export function sdkMessageOf(message: ModelMessage): SdkMessage {
  const { content } = message;
  const text = { type: 'text' as const, text: content };
  switch (message.role) {
    case 'system':
      return { role: 'system', content };
    case 'user':
      return { role: 'user', content: [text] };
    case 'assistant': {
      const calls = message.toolCalls?.map(sdkCallOf) ?? [];
      return { role: 'assistant', content: content === '' && calls.length > 0 ? calls : [text, ...calls] };
    }
    case 'tool': {
      const { callId: toolCallId, name: toolName, isError } = message;
      const output = { type: isError ? ('error-text' as const) : ('text' as const), value: content };
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] };
    }
  }
}

/** A tool as the SDK takes it. */
export const sdkToolOf = (
  { name, description, schema }: ModelTool,
  strict: boolean | undefined,
): SdkTool => ({
  type: 'function',
  name,
  ...(description === undefined ? {} : { description }),
  inputSchema: schema,
  ...(strict === undefined ? {} : { strict }),
});

/** Servers read the arguments of earlier calls again: what is no JSON object is shown as an empty one. */
function sdkCallOf({ id, name, arguments: text }: ModelToolCall) {
  return { type: 'tool-call' as const, toolCallId: id, toolName: name, input: objectOf(text) };
}

function objectOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
