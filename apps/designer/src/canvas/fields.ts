import type { KindName } from '@pawl/dag-core';
import type { Texts } from '../text/en.ts';

/** How a setting is written. `template`: a value or an expression; `seconds`: kept in milliseconds. */
type FieldForm =
  | 'text'
  | 'long'
  | 'expression'
  | 'template'
  | 'code'
  | 'number'
  | 'seconds'
  | 'json'
  | 'words'
  | 'model'
  | 'tool'
  | 'prompt'
  | 'args'
  | 'cases'
  | 'calls';

export interface Field {
  readonly pointer: string;
  readonly label: keyof Texts['canvas']['fields'];
  readonly form: FieldForm | { readonly choices: readonly (keyof Texts['canvas']['choices'])[] };
}

/** The settings that people change most, by kind; the form follows them. */
export const FIELDS: Readonly<Record<KindName, readonly Field[]>> = {
  llm: [
    { pointer: '/model', label: 'model', form: 'model' },
    { pointer: '/prompt', label: 'prompt', form: 'prompt' },
    { pointer: '/output/schema', label: 'schema', form: 'json' },
  ],
  agent: [
    { pointer: '/model', label: 'model', form: 'model' },
    { pointer: '/system', label: 'system', form: 'long' },
    { pointer: '/prompt', label: 'task', form: 'prompt' },
    { pointer: '/tools', label: 'calls', form: 'calls' },
    { pointer: '/maxTurns', label: 'maxTurns', form: 'number' },
  ],
  tool: [
    { pointer: '/tool', label: 'tool', form: 'tool' },
    { pointer: '/args', label: 'args', form: 'args' },
  ],
  switch: [
    { pointer: '/cases', label: 'cases', form: 'cases' },
    { pointer: '/mode', label: 'mode', form: { choices: ['first', 'all'] } },
  ],
  transform: [{ pointer: '/value', label: 'value', form: 'template' }],
  code: [{ pointer: '/source', label: 'source', form: 'code' }],
  map: [
    { pointer: '/over', label: 'over', form: 'template' },
    { pointer: '/concurrency', label: 'concurrency', form: 'number' },
    { pointer: '/onItemError', label: 'onItemError', form: { choices: ['fail', 'collect', 'skip'] } },
  ],
  loop: [
    { pointer: '/until', label: 'until', form: 'expression' },
    { pointer: '/maxIterations', label: 'maxIterations', form: 'number' },
  ],
  flow: [
    { pointer: '/flow', label: 'flow', form: 'text' },
    { pointer: '/input', label: 'input', form: 'template' },
  ],
  join: [],
  approval: [
    { pointer: '/subject', label: 'subject', form: 'text' },
    { pointer: '/details', label: 'details', form: 'long' },
    { pointer: '/form', label: 'form', form: 'json' },
    { pointer: '/who', label: 'who', form: 'words' },
    { pointer: '/deadline', label: 'deadline', form: 'template' },
    { pointer: '/onDeadline', label: 'onDeadline', form: { choices: ['fail', 'reject', 'approve'] } },
  ],
  wait: [
    { pointer: '/for', label: 'for', form: 'template' },
    { pointer: '/until', label: 'untilTime', form: 'template' },
    { pointer: '/signal/name', label: 'signal', form: 'text' },
    { pointer: '/signal/key', label: 'signalKey', form: 'text' },
    { pointer: '/deadline', label: 'deadline', form: 'template' },
    { pointer: '/onDeadline', label: 'onDeadline', form: { choices: ['fail', 'continue'] } },
  ],
  emit: [
    { pointer: '/signal/name', label: 'signal', form: 'text' },
    { pointer: '/signal/key', label: 'signalKey', form: 'text' },
    { pointer: '/payload', label: 'payload', form: 'template' },
  ],
};

/** Settings of every node. */
export const COMMON_FIELDS: readonly Field[] = [
  {
    pointer: '/onError/do',
    label: 'onError',
    form: { choices: ['fail', 'continue', 'pause', 'fallback'] },
  },
  { pointer: '/retry/maxAttempts', label: 'maxAttempts', form: 'number' },
  { pointer: '/timeoutMs', label: 'timeout', form: 'seconds' },
];

/** What is used instead of an output that never came. */
export const FALLBACK_FIELD: Field = { pointer: '/onError/value', label: 'fallback', form: 'json' };
