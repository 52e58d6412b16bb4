import type { Json } from '@pawl/dag-core';

/** The shell command that starts the same run. Away from this machine it asks for a key. */
export function curlLine(origin: string, flow: string, input: Json): string {
  const isHere = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(origin).hostname);
  return [
    `curl -sS ${quoted(`${origin}/v1/runs`)}`,
    ...(isHere ? [] : [`-H "authorization: Bearer $PAWL_API_KEY"`]),
    `-H 'content-type: application/json'`,
    `-d ${quoted(JSON.stringify({ flow, input }))}`,
  ].join(' \\\n  ');
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
