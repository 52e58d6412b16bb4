import { type Schema, Validator } from '@cfworker/json-schema';
import type { Json, JsonSchema } from '@pawl/dag-core';
import { ErrorSchemaBuilder, type RJSFValidationError, type ValidatorType } from '@rjsf/utils';
import i18next from 'i18next';
import { type FormIssue, findIssues } from './find-issues.ts';

/** What a form asks about its values, answered by the whole schema and not by what is drawn of it, without compiling anything. */
export const validatorOf = (whole: JsonSchema): ValidatorType => ({
  validateFormData(value) {
    const issues = findIssues(whole, value as Json);
    const builder = new ErrorSchemaBuilder();
    for (const issue of issues) builder.addErrors(sentence(issue), [...issue.path]);
    return { errors: issues.map(errorOf), errorSchema: builder.ErrorSchema };
  },
  isValid: (schema, value) => new Validator(schema as Schema, '2020-12').validate(value ?? null).valid,
  rawValidation: (schema, value) => ({
    errors: findIssues(schema as JsonSchema, value as Json) as never[],
  }),
});

const errorOf = (issue: FormIssue): RJSFValidationError => ({
  name: issue.keyword,
  message: sentence(issue),
  property: `.${issue.path.join('.')}`,
  stack: sentence(issue),
});

/** In the language of the page, where there is a text for it. */
export function sentence({ keyword, limit = '', message }: FormIssue): string {
  const key = `forms.issue.${keyword}` as 'forms.issue.minimum';
  return i18next.exists(key) ? String(i18next.t(key, { limit })) : message;
}
