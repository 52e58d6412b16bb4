import { didYouMean } from '../graph/did-you-mean.ts';
import { errorAt, type Issue } from '../graph/issue.ts';
import type { Json } from '../json.ts';
import { parseCron } from './cron.ts';
import { checkScheduleInput } from './fill-input.ts';
import type { Calendar } from './slots.ts';
import { isTimeZone } from './zoned-time.ts';

/**
 * Reads when a schedule fires and looks at its input.
 *
 * @returns the calendar, or every problem with its pointer (`/cron`, `/timeZone`, `/input/…`)
 */
export function readSchedule(schedule: {
  readonly cron: string;
  readonly timeZone: string;
  readonly input: Json;
}):
  | { readonly calendar: Calendar; readonly issues?: undefined }
  | { readonly calendar?: undefined; readonly issues: readonly Issue[] } {
  const { cron, timeZone, input } = schedule;
  const { rule, problem } = parseCron(cron);
  const issues = [
    ...(problem === undefined ? [] : [errorAt('cron_invalid', '/cron', problem)]),
    ...(isTimeZone(timeZone) ? [] : [noTimeZone(timeZone)]),
    ...checkScheduleInput(input, '/input'),
  ];
  return issues.length === 0 && rule ? { calendar: { rule, timeZone } } : { issues };
}

function noTimeZone(given: string): Issue {
  const message = `There is no time zone "${given.slice(0, 100)}": expected a name of the IANA database, such as Europe/Berlin or UTC`;
  return errorAt(
    'time_zone_unknown',
    '/timeZone',
    message,
    didYouMean(given, ['UTC', ...Intl.supportedValuesOf('timeZone')]),
  );
}
