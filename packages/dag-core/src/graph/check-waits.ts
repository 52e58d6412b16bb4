import { compileTemplate } from '../expression/index.ts';
import type { Json } from '../json.ts';
import { parseDuration } from '../time/duration.ts';
import { parseInstant } from '../time/instant.ts';
import type { WaitNode } from './document.ts';
import { errorAt, type Issue } from './issue.ts';

// Rules kept here: K14 what a node waits for is said once, and what is known when the flow is drawn can be waited for.

/** Checks what a wait node waits for. */
export function checkWait(config: WaitNode, pointer: string): Issue[] {
  const said = (['for', 'until'] as const).filter((name) => config[name] !== undefined);
  const issues: Issue[] = [];
  if (said.length !== 1) {
    const message =
      said.length === 0
        ? `The wait "${config.id}" does not say what it waits for`
        : `The wait "${config.id}" says ${said.join(' and ')}, but a node waits for one thing`;
    issues.push(errorAt('wait_invalid', pointer, message, 'write for (a duration) or until (an instant)'));
  }
  return [
    ...issues,
    ...checkConstant(config.for, `${pointer}/for`, isDuration, DURATION),
    ...checkConstant(config.until, `${pointer}/until`, isInstant, INSTANT),
  ];
}

/** A deadline: a duration, or an instant. */
export const checkDeadline = (deadline: Json | undefined, pointer: string): Issue[] =>
  checkConstant(
    deadline,
    pointer,
    (value) => isDuration(value) || isInstant(value),
    `${DURATION}; or ${INSTANT}`,
  );

const DURATION = 'a duration up to ten years: milliseconds, or ISO 8601 such as PT15M or P1DT12H';
const INSTANT =
  'an instant: ISO 8601 with its offset such as 2027-03-01T09:00:00+08:00, or epoch milliseconds';
const isDuration = (value: Json): boolean => parseDuration(value) !== undefined;
const isInstant = (value: Json): boolean => parseInstant(value) !== undefined;

/** A value without expressions is checked now, any other when it is known. */
function checkConstant(
  value: Json | undefined,
  pointer: string,
  fits: (value: Json) => boolean,
  expected: string,
): Issue[] {
  if (value === undefined || !compileTemplate(value).isConstant || fits(value)) return [];
  return [errorAt('wait_invalid', pointer, `${JSON.stringify(value)} is not ${expected}`)];
}
