import { isSignalKey, MOST_KEY_UNITS } from '@pawl/run-store/work';
import type { Step } from '../runtime/step.ts';

/** The key of a signal that a node waits for or sends. @throws {SignalKeyInvalidError} */
export async function signalKey(step: Step, onClock: (nowMs: number) => void): Promise<string> {
  const { key } = step.compiled;
  if (!key) return '';
  const text = String(await step.context.evaluate(step.handle.path, step.scopePath, key, { onClock }));
  if (!isSignalKey(text)) throw new SignalKeyInvalidError(step.handle.path);
  return text;
}

/** Thrown when a key cannot be looked for. */
class SignalKeyInvalidError extends Error {
  readonly code = 'signal_key_invalid';
  constructor(path: string) {
    super(
      `The key of the signal of ${path} cannot be used: at most ${MOST_KEY_UNITS} characters of well-formed text without NUL are.`,
    );
  }
}
