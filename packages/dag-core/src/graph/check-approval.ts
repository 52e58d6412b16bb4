import { compileTemplate } from '../expression/index.ts';
import { checkDeadline } from './check-waits.ts';
import type { ApprovalNode } from './document.ts';
import { errorAt, type Issue } from './issue.ts';
import { checkUserSchema, checkValue } from './user-schema.ts';

// Rules kept here: K17: a form is a valid schema, a consequence has its deadline, and values that are known already fit.

/** Checks what an approval asks, and what follows when nobody answers. */
export function checkApproval(config: ApprovalNode, pointer: string): Issue[] {
  const { form, deadline, onDeadline, deadlineValues } = config;
  const formIssues = form === undefined ? [] : checkUserSchema(form);
  const issues = [
    ...formIssues.map((issue) => ({ ...issue, pointer: `${pointer}/form${issue.pointer}` })),
    ...checkDeadline(deadline, `${pointer}/deadline`),
  ];
  if (onDeadline !== undefined && deadline === undefined) {
    const message = `The approval "${config.id}" says what follows a deadline, but has none`;
    issues.push(
      errorAt('approval_invalid', `${pointer}/onDeadline`, message, 'write deadline, or leave this out'),
    );
  }
  if (deadlineValues === undefined) return issues;
  if (onDeadline !== 'approve') {
    const message = `The approval "${config.id}" has values for a deadline that does not approve`;
    const hint = 'write onDeadline: approve, or leave this out';
    issues.push(errorAt('approval_invalid', `${pointer}/deadlineValues`, message, hint));
  } else if (formIssues.length === 0 && compileTemplate(deadlineValues).isConstant) {
    for (const issue of checkValue(form, deadlineValues))
      issues.push({
        ...issue,
        code: 'approval_invalid',
        pointer: `${pointer}/deadlineValues${issue.pointer}`,
      });
  }
  return issues;
}
