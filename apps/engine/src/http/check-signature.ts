import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Hook } from '@pawl/run-store';
import { problems } from './http-problem.ts';

/** How each preset signs: the mark before a signature in hexadecimal digits. */
const MARKS: Readonly<Record<Hook['preset'], string>> = { pawl: 'v1=', github: 'sha256=' };
/** Signatures that one header may hold: senders that move to another secret send one of each. */
const MOST_SIGNATURES = 5;

/**
 * Checks that whoever sent a delivery knows a secret in force: HMAC-SHA256 over `<timestamp>.<body>`, or over the body alone where
 * deliveries carry no time. Bytes count, as they were sent. Compares in constant time.
 *
 * @throws {HttpProblem} `signature_invalid`, which says what is missing or wrong, never what would be right
 */
export function checkSignature(hook: Hook, headers: IncomingHttpHeaders, body: Buffer): void {
  const signature = one(headers, hook.signatureHeader);
  if (!signature) throw problems.signatureInvalid(`the header ${hook.signatureHeader} is missing`);
  const timestamp = hook.timestampHeader === null ? undefined : timestampOf(hook.timestampHeader, headers);
  const given = signaturesIn(signature, MARKS[hook.preset]);
  if (given.length === 0)
    throw problems.signatureInvalid(
      `${hook.signatureHeader} does not have the form ${MARKS[hook.preset]}<64 hexadecimal digits>`,
    );
  const isRight = hook.secrets.some((secret) => {
    const expected = signed(secret, timestamp, body);
    return given.some((each) => timingSafeEqual(each, expected));
  });
  if (!isRight)
    throw problems.signatureInvalid(
      `the signature is not that of this body under a secret of the webhook${timestamp === undefined ? '' : `, with the time in ${hook.timestampHeader} before it`}`,
    );
  // Only now, so that nobody without a secret learns how the clocks stand.
  if (timestamp !== undefined && Math.abs(Number(timestamp) * 1_000 - hook.nowMs) > hook.toleranceMs)
    throw problems.signatureInvalid(
      `the time in ${hook.timestampHeader} is more than ${hook.toleranceMs / 1_000} s from now`,
    );
}

function signed(secret: string, timestamp: string | undefined, body: Buffer): Buffer {
  const hmac = createHmac('sha256', secret);
  if (timestamp !== undefined) hmac.update(`${timestamp}.`);
  return hmac.update(body).digest();
}

function signaturesIn(header: string, mark: string): Buffer[] {
  return header
    .split(',', MOST_SIGNATURES)
    .map((part) => part.trim())
    .filter((part) => part.startsWith(mark) && /^[0-9a-f]{64}$/i.test(part.slice(mark.length)))
    .map((part) => Buffer.from(part.slice(mark.length), 'hex'));
}

function timestampOf(header: string, headers: IncomingHttpHeaders): string {
  const timestamp = one(headers, header);
  if (!timestamp) throw problems.signatureInvalid(`the header ${header} is missing`);
  if (!/^\d{1,12}$/.test(timestamp))
    throw problems.signatureInvalid(`${header} does not hold seconds since 1970`);
  return timestamp;
}

/** A header that was sent; sent several times its values are joined. */
export function one(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return Array.isArray(value) ? value.join(', ') : value;
}
