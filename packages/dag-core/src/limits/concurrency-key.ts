import { ExpressionError } from '../errors.ts';
import { compileTemplate } from '../expression/index.ts';
import type { FlowDocument } from '../graph/document.ts';
import type { Json } from '../json.ts';

// Rules kept here: L10 which runs of a flow wait for each other.

/** Characters of a key. */
const LONGEST_KEY = 500;

/**
 * The key by which runs of a flow wait for each other; undefined when they do not.
 *
 * @throws {ExpressionError} when the input gives none
 */
export async function concurrencyKey(
  { concurrency }: Pick<FlowDocument, 'concurrency'>,
  input: Json,
): Promise<string | undefined> {
  if (!concurrency) return undefined;
  const scope = { input, nodes: {}, run: { id: '', startedAt: '' } };
  const never = () => {
    throw new ExpressionError(
      'expression_failed',
      CLOCKLESS,
      'reads the clock or draws a random number, which a key may not',
    );
  };
  const template = compileTemplate(concurrency.key ?? '', { text: true });
  const key = String(await template.evaluate(scope, { now: never, random: never }));
  if (key.length <= LONGEST_KEY && !key.includes('\u0000')) return key;
  throw new ExpressionError(
    'expression_too_large',
    CLOCKLESS,
    `gives a key of ${key.length} characters; the most is ${LONGEST_KEY}, without NUL`,
  );
}

const CLOCKLESS = { pointer: '/concurrency/key', source: 'key' };
