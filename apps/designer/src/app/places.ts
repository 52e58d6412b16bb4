import { ChartColumn, Inbox, Play, Settings, Workflow, Wrench } from 'lucide-react';

/** The places of the application, in the order of the rail. */
export const PLACES = [
  { to: '/flows', name: 'flows', Icon: Workflow },
  { to: '/runs', name: 'runs', Icon: Play },
  { to: '/compare', name: 'compare', Icon: ChartColumn },
  { to: '/inbox', name: 'inbox', Icon: Inbox },
  { to: '/tools', name: 'tools', Icon: Wrench },
  { to: '/settings', name: 'settings', Icon: Settings },
] as const;
