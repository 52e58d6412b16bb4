import { access } from './en/access.ts';
import type { agentTools } from './en/agent-tools.ts';
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
import type { settings } from './en/settings.ts';
import { shell } from './en/shell.ts';
import type { testTab } from './en/test-tab.ts';
import { testing } from './en/testing.ts';
import type { tools } from './en/tools.ts';

/** The texts of the designer in English, one file for each screen, but for those that come later. The other catalogues have the same shape. */
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
  ...access,
  ...inbox,
  ...forms,
  ...inspector,
};

/** The shape of a catalogue: a missing or misspelt text does not compile. */
export type Texts = typeof en & typeof settings & typeof tools & typeof agentTools & typeof testTab;

/** Texts of screens, and of parts of them, that most visits never open; they come with what shows them. */
export const LATER = {
  inspector: async () => {
    const [{ agentTools }, { testTab }] = await Promise.all([
      import('./en/agent-tools.ts'),
      import('./en/test-tab.ts'),
    ]);
    return { ...agentTools, ...testTab };
  },
  settings: async () => (await import('./en/settings.ts')).settings,
  tools: async () => (await import('./en/tools.ts')).tools,
};
