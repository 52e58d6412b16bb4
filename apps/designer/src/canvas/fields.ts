import type { KindName } from '@pawl/dag-core';
import type { Texts } from '../text/en.ts';

/**
 * How a setting is written. `text`: as it is; `prose`: with placeholders; `template`: a value or an expression; `expression`: one, bare;
 * `seconds`: kept in milliseconds; `share`: a number with a fraction; `schema`: a JSON Schema.
 */
type SingleForm =
  | 'text'
  | 'prose'
  | 'expression'
  | 'template'
  | 'code'
  | 'number'
  | 'share'
  | 'seconds'
  | 'json'
  | 'schema'
  | 'words'
  | 'model'
  | 'tool';

/** Forms of several fields. */
const PARTS = ['prompt', 'args', 'cases', 'calls'] as const;

interface Named {
  readonly pointer: string;
  readonly label: keyof Texts['canvas']['fields'];
}
/** A setting that is written in one field. */
export interface SingleField extends Named {
  readonly form: SingleForm | { readonly choices: readonly (keyof Texts['canvas']['choices'])[] };
}
export interface PartsField extends Named {
  readonly form: (typeof PARTS)[number];
}
export type Field = SingleField | PartsField;

export const hasParts = (field: Field): field is PartsField => PARTS.some((form) => form === field.form);

const PARAMETERS: readonly Field[] = [
  { pointer: '/parameters/temperature', label: 'temperature', form: 'share' },
  { pointer: '/parameters/maxOutputTokens', label: 'maxOutputTokens', form: 'number' },
];

/** The settings that people change most, by kind; the form follows them. */
export const FIELDS: Readonly<Record<KindName, readonly Field[]>> = {
  llm: [
    { pointer: '/model', label: 'model', form: 'model' },
    { pointer: '/prompt', label: 'prompt', form: 'prompt' },
    { pointer: '/output/schema', label: 'schema', form: 'schema' },
    ...PARAMETERS,
  ],
  agent: [
    { pointer: '/model', label: 'model', form: 'model' },
    { pointer: '/system', label: 'system', form: 'prose' },
    { pointer: '/prompt', label: 'task', form: 'prompt' },
    { pointer: '/tools', label: 'calls', form: 'calls' },
    { pointer: '/maxTurns', label: 'maxTurns', form: 'number' },
    { pointer: '/stop', label: 'stop', form: 'expression' },
    { pointer: '/output/schema', label: 'schema', form: 'schema' },
    ...PARAMETERS,
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
    { pointer: '/output', label: 'itemOutput', form: 'template' },
  ],
  loop: [
    { pointer: '/until', label: 'until', form: 'expression' },
    { pointer: '/maxIterations', label: 'maxIterations', form: 'number' },
    { pointer: '/onMaxIterations', label: 'onMaxIterations', form: { choices: ['fail', 'continue'] } },
    { pointer: '/output', label: 'turnOutput', form: 'template' },
  ],
  flow: [
    { pointer: '/flow', label: 'flow', form: 'text' },
    { pointer: '/input', label: 'input', form: 'template' },
  ],
  join: [],
  approval: [
    { pointer: '/subject', label: 'subject', form: 'prose' },
    { pointer: '/details', label: 'details', form: 'prose' },
    { pointer: '/form', label: 'form', form: 'schema' },
    { pointer: '/values', label: 'values', form: 'template' },
    { pointer: '/who', label: 'who', form: 'words' },
    { pointer: '/deadline', label: 'deadline', form: 'template' },
    { pointer: '/onDeadline', label: 'onDeadline', form: { choices: ['fail', 'reject', 'approve'] } },
  ],
  wait: [
    { pointer: '/for', label: 'for', form: 'template' },
    { pointer: '/until', label: 'untilTime', form: 'template' },
    { pointer: '/signal/name', label: 'signal', form: 'text' },
    { pointer: '/signal/key', label: 'signalKey', form: 'prose' },
    { pointer: '/deadline', label: 'deadline', form: 'template' },
    { pointer: '/onDeadline', label: 'onDeadline', form: { choices: ['fail', 'continue'] } },
  ],
  emit: [
    { pointer: '/signal/name', label: 'signal', form: 'text' },
    { pointer: '/signal/key', label: 'signalKey', form: 'prose' },
    { pointer: '/payload', label: 'payload', form: 'template' },
    { pointer: '/to', label: 'to', form: 'prose' },
  ],
};

/** What is used instead of an output that never came. */
export const FALLBACK_FIELD: Field = { pointer: '/onError/value', label: 'fallback', form: 'json' };

/** What becomes of a failure, of every node. */
export const ON_ERROR_FIELD: Field = {
  pointer: '/onError/do',
  label: 'onError',
  form: { choices: ['fail', 'continue', 'pause', 'fallback'] },
};
export const TIMEOUT_FIELD: Field = { pointer: '/timeoutMs', label: 'timeout', form: 'seconds' };

/** How several ways into a node are joined. */
export const JOIN_FIELD: Field = {
  pointer: '/join',
  label: 'join',
  form: { choices: ['some', 'every', 'first'] },
};
export const POOL_FIELD: Field = { pointer: '/pool', label: 'pool', form: 'text' };
