import { compileTemplate } from '../expression/index.ts';
import type { Json } from '../json.ts';
import { parseDuration } from '../time/duration.ts';
import { parseInstant } from '../time/instant.ts';
import type { WaitNode } from './document.ts';
import { errorAt, type Issue } from './issue.ts';

// Rules kept here: K14 what a node waits for is said once, and what is known when the flow is drawn can be waited for.

/** Checks what a wait node waits for. */
export function checkWait(config: WaitNode, pointer: string): Issue[] {
  const said = (['for', 'until', 'signal'] as const).filter((name) => config[name] !== undefined);
  const issues: Issue[] = [];
  if (said.length !== 1) {
    const message =
      said.length === 0
        ? `The wait "${config.id}" does not say what it waits for`
        : `The wait "${config.id}" says ${said.join(' and ')}, but a node waits for one thing`;
    const hint = 'write for (a duration), until (an instant) or signal';
    issues.push(errorAt('wait_invalid', pointer, message, hint));
  }
  return [
    ...issues,
    ...checkDeadlineFields(config, pointer),
    ...checkConstant(config.for, `${pointer}/for`, isDuration, DURATION),
    ...checkConstant(config.until, `${pointer}/until`, isInstant, INSTANT),
    ...checkDeadline(config.deadline, `${pointer}/deadline`),
  ];
}

function checkDeadlineFields({ id, signal, deadline, onDeadline }: WaitNode, pointer: string): Issue[] {
  if (deadline !== undefined && signal === undefined) {
    const message = `The wait "${id}" has a deadline, but waits for no signal: a time ends by itself`;
    return [errorAt('wait_invalid', `${pointer}/deadline`, message, 'leave the deadline out')];
  }
  if (onDeadline === undefined || deadline !== undefined) return [];
  const message = `The wait "${id}" says what follows a deadline, but has none`;
  return [errorAt('wait_invalid', `${pointer}/onDeadline`, message, 'write deadline, or leave this out')];
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
