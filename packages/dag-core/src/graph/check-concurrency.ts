import { compileTemplate } from '../expression/index.ts';
import { errorAt, type Issue } from './issue.ts';

// Rules kept here: L10 the key of a run is known when it is admitted, so it reads the input only.

/** Problems of the key by which runs of a flow wait for each other. */
export function checkConcurrencyKey(concurrency: unknown): Issue[] {
  const { key } = (concurrency ?? {}) as { key?: unknown };
  if (typeof key !== 'string') return []; // absent, or the schema has said what is wrong
  const pointer = '/concurrency/key';
  const { issues, references } = compileTemplate(key, { text: true });
  return [
    ...issues.map(({ code, message, hint }) => errorAt(code, pointer, message, hint)),
    ...references
      .filter(({ root }) => root !== 'input')
      .map(({ path }) =>
        errorAt('reference_not_upstream', pointer, `The key of a run reads its input only, and not ${path}`),
      ),
  ];
}
