import { createHmac } from 'node:crypto';

/** Headers of a delivery signed as senders of the preset `pawl` do: over `<seconds>.<body>`. */
export function signed(
  secret: string,
  body: string | Buffer,
  { id, nowMs = Date.now() }: { readonly id?: string; readonly nowMs?: number } = {},
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  return {
    'content-type': 'application/json',
    'pawl-timestamp': timestamp,
    'pawl-signature': `v1=${signature}`,
    ...(id !== undefined && { 'pawl-delivery': id }),
  };
}
