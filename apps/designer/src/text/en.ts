import { access } from './en/access.ts';
import { canvas } from './en/canvas.ts';
import { commands } from './en/commands.ts';
import { compare } from './en/compare.ts';
import { drawing } from './en/drawing.ts';
import { drillIn } from './en/drill-in.ts';
import { flows } from './en/flows.ts';
import { forms } from './en/forms.ts';
import { inbox } from './en/inbox.ts';
import { inspector } from './en/inspector.ts';
import { outline } from './en/outline.ts';
import { run } from './en/run.ts';
import { runs } from './en/runs.ts';
import { settings } from './en/settings.ts';
import { shell } from './en/shell.ts';
import { testing } from './en/testing.ts';
import { tools } from './en/tools.ts';

/** Every text of the designer in English, one file for each screen; the other catalogues have the same shape. */
export const en = {
  ...shell,
  ...flows,
  ...canvas,
  ...outline,
  ...drawing,
  ...drillIn,
  ...commands,
  ...testing,
  ...compare,
  ...runs,
  ...run,
  ...settings,
  ...access,
  ...inbox,
  ...forms,
  ...inspector,
  ...tools,
};

/** The shape of a catalogue: a missing or misspelt text does not compile. */
export type Texts = typeof en;
