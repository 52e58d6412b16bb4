import type { ErrorObject } from 'ajv';
import { pointerTo } from '../canonical/json-pointer.ts';
import { didYouMean } from './did-you-mean.ts';
import { errorAt, type Issue } from './issue.ts';

/** Turns what the schema checker says into issues: one sentence each, with the pointer of the culprit itself. */
export function issuesFrom(errors: readonly ErrorObject[] | null | undefined, subject: string): Issue[] {
  return (errors ?? [])
    .filter((error) => !echoes.has(error.keyword))
    .map((error) => issueFrom(error, subject));
}

/** Keywords that only repeat what another error of the same place says better. */
const echoes = new Set(['if', 'then', 'else', '$ref', 'propertyNames']);

function issueFrom(error: ErrorObject, subject: string): Issue {
  const { instancePath: pointer, params } = error;
  const name = pointer === '' ? subject : pointer;
  switch (error.keyword) {
    case 'required':
      return errorAt('property_missing', pointer, `${name} lacks "${params.missingProperty}"`);
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const property = String(params.additionalProperty ?? params.unevaluatedProperty);
      const known = Object.keys((error.parentSchema?.properties as object | undefined) ?? {});
      return errorAt(
        'property_unknown',
        pointerTo(pointer, property),
        `${name} has no property "${property}"`,
        didYouMean(property, known) ?? (known.length > 0 ? `it has ${known.join(', ')}` : undefined),
      );
    }
    case 'type':
      return errorAt('wrong_type', pointer, `${name} must be ${typeNames(params.type)}${expected(error)}`);
    case 'const':
      return errorAt('wrong_value', pointer, `${name} must be ${JSON.stringify(params.allowedValue)}`);
    case 'enum':
      return errorAt(
        'wrong_value',
        pointer,
        `${name} must be one of ${(params.allowedValues as unknown[]).map((each) => JSON.stringify(each)).join(', ')}`,
        typeof error.data === 'string'
          ? didYouMean(error.data, (params.allowedValues as unknown[]).map(String))
          : undefined,
      );
    case 'pattern':
      return errorAt(
        'malformed',
        pointer,
        `${name} ${expected(error, 'must be') || `must match ${params.pattern}`}`,
      );
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
    case 'multipleOf':
      return errorAt('out_of_range', pointer, `${name} ${error.message}`);
    case 'format':
      return errorAt('malformed', pointer, `${name} must be a valid ${params.format}`);
    default:
      return errorAt('schema', pointer, `${name} ${error.message ?? 'does not fit its schema'}`);
  }
}

/** Types of JSON Schema, one or a list, in words. */
export function typeNames(type: unknown): string {
  return (Array.isArray(type) ? type : [type])
    .map((each) => typeWords[String(each)] ?? String(each))
    .join(' or ');
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

function expected(error: ErrorObject, lead = ':'): string {
  const description: unknown = error.parentSchema?.description;
  if (typeof description !== 'string') return '';
  return lead === ':' ? `: ${description}` : `${lead} ${description}`;
}
