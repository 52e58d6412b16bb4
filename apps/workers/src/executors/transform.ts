import type { PureExecutor } from '../runtime/step.ts';
import { evaluated } from './evaluated.ts';

/** K: builds a JSON value from expressions. */
export const transform: PureExecutor = (step) =>
  evaluated(step, step.compiled.value!, {}, (output) => ({ type: 'succeeded', output }));
