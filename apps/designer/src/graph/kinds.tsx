import type { KindName } from '@pawl/dag-core';
import {
  Bot,
  Braces,
  GitFork,
  GitMerge,
  Hourglass,
  LayoutGrid,
  type LucideIcon,
  Radio,
  Repeat,
  Sparkles,
  SquareFunction,
  UserCheck,
  Workflow,
  Wrench,
} from 'lucide-react';

/** The picture of each kind of node. */
export const KIND_ICONS: Readonly<Record<KindName, LucideIcon>> = {
  llm: Sparkles,
  agent: Bot,
  tool: Wrench,
  switch: GitFork,
  transform: SquareFunction,
  code: Braces,
  map: LayoutGrid,
  loop: Repeat,
  flow: Workflow,
  join: GitMerge,
  approval: UserCheck,
  wait: Hourglass,
  emit: Radio,
};
