import type { Texts } from './en.ts';
import { access } from './zh-cn/access.ts';
import { agentTools } from './zh-cn/agent-tools.ts';
import { canvas } from './zh-cn/canvas.ts';
import { commands } from './zh-cn/commands.ts';
import { compare } from './zh-cn/compare.ts';
import { drawing } from './zh-cn/drawing.ts';
import { drillIn } from './zh-cn/drill-in.ts';
import { flows } from './zh-cn/flows.ts';
import { forms } from './zh-cn/forms.ts';
import { inbox } from './zh-cn/inbox.ts';
import { inspector } from './zh-cn/inspector.ts';
import { outline } from './zh-cn/outline.ts';
import { run } from './zh-cn/run.ts';
import { runs } from './zh-cn/runs.ts';
import { settings } from './zh-cn/settings.ts';
import { shell } from './zh-cn/shell.ts';
import { testTab } from './zh-cn/test-tab.ts';
import { testing } from './zh-cn/testing.ts';
import { tools } from './zh-cn/tools.ts';

export { issues } from './zh-cn/issues.ts';

/** Simplified Chinese. */
export const zhCn: Texts = {
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
  ...agentTools,
  ...testTab,
  ...tools,
};
