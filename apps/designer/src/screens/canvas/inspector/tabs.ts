import type { ComponentType } from 'react';
import type { Texts } from '../../../text/en.ts';
import { later } from '../../../ui/later.tsx';
import { HistoryTab } from './history-tab.tsx';
import { InputTab } from './input-tab.tsx';
import { OutputTab } from './output-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';

export interface Tab {
  readonly id: keyof Texts['inspector']['tabs'];
  readonly body: ComponentType;
}

/** What tests need is loaded when somebody looks at it. */
const TestTab = later(async () => (await import('./test-tab.tsx')).TestTab);

/** What can be seen of a node: one line each. */
export const TABS: readonly Tab[] = [
  { id: 'settings', body: SettingsTab },
  { id: 'input', body: InputTab },
  { id: 'output', body: OutputTab },
  { id: 'test', body: TestTab },
  { id: 'history', body: HistoryTab },
];
