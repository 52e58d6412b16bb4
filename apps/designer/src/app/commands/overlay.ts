import { create } from 'zustand';

/** What lies over the screen: the commands to choose from, or the keys. */
export const useOverlay = create<{ readonly shown: 'commands' | 'keys' | undefined }>(() => ({
  shown: undefined,
}));
