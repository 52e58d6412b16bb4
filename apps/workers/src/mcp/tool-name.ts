/** Longest name that a tool may have here. */
const LONGEST = 100;

/**
 * What a tool of a server is called in flows: `createIssue` of `github` is `mcp.github.create_issue`.
 *
 * @returns undefined when nothing is left of the name, or too much
 */
export function toolName(server: string, name: string): string | undefined {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('.')
    .map((part) => part.replace(/[^a-z0-9_]/g, '_').replace(/^_+|_+$/g, ''))
    .filter((part) => part !== '')
    .map((part) => (/^[a-z]/.test(part) ? part : `tool_${part}`));
  const full = ['mcp', server, ...words].join('.');
  return words.length === 0 || full.length > LONGEST ? undefined : full;
}
