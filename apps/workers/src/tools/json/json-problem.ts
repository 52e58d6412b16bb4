import type { JsonIssue } from '@pawl/dag-core';
import { PermanentError } from '@pawl/tool-sdk';

/** JSON that cannot be taken, with every problem as detail. `what`: the subject of the sentence, for instance `The text`. */
export function jsonProblem(what: string, issues: readonly JsonIssue[]): PermanentError {
  const said = issues
    .slice(0, 3)
    .map(({ message }) => message.replace(/^The text is not JSON: /, 'not JSON: '))
    .map((message) =>
      message.replace(/, or set "bigIntegers": "strings" in the flow/, ', or set bigIntegers to "strings"'),
    );
  return new PermanentError({
    code: issues[0]?.code ?? 'json_syntax',
    message: `${what} cannot be read as JSON: ${said.join('; ')}.`,
    detail: issues.slice(0, 20).map(({ code, pointer, message }) => ({ code, pointer, message })),
  });
}
