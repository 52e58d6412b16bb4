import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { withTexts } from '../text/texts.ts';
import {
  readCanvasView,
  readComparisonView,
  readFlowFilters,
  readInboxView,
  readRunFilters,
  readRunView,
  readToolFilters,
  readVersionView,
} from './addresses.ts';
import { NotFound } from './not-found.tsx';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/flows' });
  },
});

const flows = createRoute({
  getParentRoute: () => root,
  path: '/flows',
  validateSearch: readFlowFilters,
  component: lazyRouteComponent(() => import('../screens/flows/flows-screen.tsx'), 'FlowsScreen'),
});

const canvas = createRoute({
  getParentRoute: () => root,
  path: '/flows/$flow',
  validateSearch: readCanvasView,
  component: lazyRouteComponent(() => import('../screens/canvas/canvas-screen.tsx'), 'CanvasScreen'),
});

const versions = createRoute({
  getParentRoute: () => root,
  path: '/flows/$flow/versions',
  validateSearch: readVersionView,
  component: lazyRouteComponent(() => import('../screens/flows/versions-screen.tsx'), 'VersionsScreen'),
});

const runs = createRoute({
  getParentRoute: () => root,
  path: '/runs',
  validateSearch: readRunFilters,
  component: lazyRouteComponent(() => import('../screens/runs/runs-screen.tsx'), 'RunsScreen'),
});

const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$runId',
  validateSearch: readRunView,
  component: lazyRouteComponent(() => import('../screens/run/run-screen.tsx'), 'RunScreen'),
});

const compare = createRoute({
  getParentRoute: () => root,
  path: '/compare',
  validateSearch: readComparisonView,
  component: lazyRouteComponent(() => import('../screens/compare/compare-screen.tsx'), 'CompareScreen'),
});

const inbox = createRoute({
  getParentRoute: () => root,
  path: '/inbox',
  validateSearch: readInboxView,
  component: lazyRouteComponent(() => import('../screens/inbox/inbox-screen.tsx'), 'InboxScreen'),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(
    () => withTexts('settings', import('../screens/settings/settings-screen.tsx')),
    'SettingsScreen',
  ),
});

const appearance = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: lazyRouteComponent(() => import('../screens/settings/appearance.tsx'), 'Appearance'),
});

const account = createRoute({
  getParentRoute: () => settings,
  path: '/account',
  component: lazyRouteComponent(() => import('../screens/settings/account.tsx'), 'Account'),
});

const members = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  component: lazyRouteComponent(() => import('../screens/settings/members/members.tsx'), 'Members'),
});

const keys = createRoute({
  getParentRoute: () => settings,
  path: '/keys',
  component: lazyRouteComponent(() => import('../screens/settings/keys/keys.tsx'), 'Keys'),
});

const models = createRoute({
  getParentRoute: () => settings,
  path: '/models',
  component: lazyRouteComponent(() => import('../screens/settings/models/models.tsx'), 'Models'),
});

const credentials = createRoute({
  getParentRoute: () => settings,
  path: '/credentials',
  component: lazyRouteComponent(
    () => import('../screens/settings/credentials/credentials.tsx'),
    'Credentials',
  ),
});

const limits = createRoute({
  getParentRoute: () => settings,
  path: '/limits',
  component: lazyRouteComponent(() => import('../screens/settings/limits/limits.tsx'), 'Limits'),
});

const workers = createRoute({
  getParentRoute: () => settings,
  path: '/workers',
  component: lazyRouteComponent(() => import('../screens/settings/workers/workers.tsx'), 'Workers'),
});

const retention = createRoute({
  getParentRoute: () => settings,
  path: '/retention',
  component: lazyRouteComponent(() => import('../screens/settings/retention/retention.tsx'), 'Retention'),
});

const tools = createRoute({
  getParentRoute: () => root,
  path: '/tools',
  validateSearch: readToolFilters,
  component: lazyRouteComponent(
    () => withTexts('tools', import('../screens/tools/tools-screen.tsx')),
    'ToolsScreen',
  ),
});

/** What was searched for goes along, so that the way back leads to the same list. */
const tool = createRoute({
  getParentRoute: () => root,
  path: '/tools/$tool',
  validateSearch: readToolFilters,
  component: lazyRouteComponent(
    () => withTexts('tools', import('../screens/tools/tool-screen.tsx')),
    'ToolScreen',
  ),
});

/** Every address of the application; each screen is loaded when it is first opened. */
export const router = createRouter({
  routeTree: root.addChildren([
    home,
    flows,
    canvas,
    versions,
    runs,
    run,
    compare,
    inbox,
    tools,
    tool,
    settings.addChildren([
      appearance,
      account,
      models,
      credentials,
      limits,
      workers,
      retention,
      members,
      keys,
    ]),
  ]),
  defaultPreload: 'intent',
  // `files.read@1` stays readable in an address.
  pathParamsAllowedCharacters: ['@'],
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
