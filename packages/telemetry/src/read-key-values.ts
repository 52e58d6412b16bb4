/** Pairs as OpenTelemetry writes them in variables: `name=value,other=value`, values percent-encoded. What is no pair is left out. */
export function readKeyValues(text: string | undefined): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const part of (text ?? '').split(',')) {
    const at = part.indexOf('=');
    const name = part.slice(0, at).trim();
    if (at > 0 && name !== '') pairs[name] = decoded(part.slice(at + 1).trim());
  }
  return pairs;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
