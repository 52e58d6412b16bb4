type Fields = Record<string, unknown>;

/** What Chat Completions has against the tools of a request and the calls in its messages; undefined when nothing. */
export function problemOfChatTools({ tools, messages }: Fields): string | undefined {
  const offered = ((tools ?? []) as Fields[]).map((tool) => problemOfTool(tool, tool.function as Fields));
  const bad = offered.find((problem) => problem !== undefined);
  if (bad !== undefined) return bad;
  let open: string[] = [];
  for (const [index, message] of (messages as Fields[]).entries()) {
    if (message.role === 'tool') {
      const id = String(message.tool_call_id);
      if (!open.includes(id))
        return `Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls' (messages[${index}]).`;
      open = open.filter((each) => each !== id);
      continue;
    }
    if (open.length > 0) return notAnswered(open);
    if (message.tool_calls === undefined) continue;
    const calls = message.tool_calls as { id?: unknown; function?: Fields }[];
    const wrong = calls.find((call) => problemOfCall(call.id, call.function));
    if (calls.length === 0 || wrong) return `Invalid 'messages[${index}].tool_calls'.`;
    open = calls.map(({ id }) => String(id));
    if (new Set(open).size < open.length) return `Duplicate tool call ids in messages[${index}].`;
  }
  return open.length > 0 ? notAnswered(open) : undefined;
}

/** The same of the Responses API. */
export function problemOfResponsesTools({ tools, input }: Fields): string | undefined {
  const bad = ((tools ?? []) as Fields[])
    .map((tool) => problemOfTool(tool, tool))
    .find((problem) => problem !== undefined);
  if (bad !== undefined) return bad;
  const items = input as Fields[];
  const calls = items.filter(({ type }) => type === 'function_call');
  const outputs = items.filter(({ type }) => type === 'function_call_output');
  if (calls.some((call) => problemOfCall(call.call_id, call))) return 'Invalid function_call item.';
  const without = calls.find((call) => !outputs.some((output) => output.call_id === call.call_id));
  if (without) return `No tool output found for function call ${String(without.call_id)}.`;
  const loose = outputs.find((output) => !calls.some((call) => output.call_id === call.call_id));
  return loose && `No tool call found for function call output with call_id ${String(loose.call_id)}.`;
}

const notAnswered = (ids: readonly string[]) =>
  `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids.join(', ')}`;

function problemOfTool(tool: Fields, about: Fields | undefined): string | undefined {
  const { name, parameters } = about ?? {};
  if (tool.type !== 'function' || typeof name !== 'string' || !/^[\w-]{1,64}$/.test(name))
    return `Invalid 'tools': expected a string that matches ^[a-zA-Z0-9_-]+$, got ${JSON.stringify(name)}.`;
  const { type } = (parameters ?? {}) as { type?: unknown };
  return type === 'object'
    ? undefined
    : `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"', got 'type: "${String(type)}"'.`;
}

function problemOfCall(id: unknown, about: Fields | undefined): boolean {
  if (typeof id !== 'string' || id === '' || typeof about?.name !== 'string') return true;
  try {
    return typeof JSON.parse(String(about.arguments)) !== 'object';
  } catch {
    return true;
  }
}
