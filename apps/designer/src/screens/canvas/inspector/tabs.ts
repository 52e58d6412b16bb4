import type { FunctionComponent } from 'react';
import type { Texts } from '../../../text/en.ts';
import { HistoryTab } from './history-tab.tsx';
import { InputTab } from './input-tab.tsx';
import { OutputTab } from './output-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';

export interface Tab {
  readonly id: keyof Texts['inspector']['tabs'];
  readonly body: FunctionComponent;
}

/** What can be seen of a node: one line each. */
export const TABS: readonly Tab[] = [
  { id: 'settings', body: SettingsTab },
  { id: 'input', body: InputTab },
  { id: 'output', body: OutputTab },
  { id: 'history', body: HistoryTab },
];
