/** Every text of the designer in English; the other catalogues have the same shape. */
export const en = {
  app: { name: 'Pawl', skipToContent: 'Skip to content' },
  rail: {
    label: 'Main',
    flows: 'Flows',
    runs: 'Runs',
    compare: 'Compare',
    inbox: 'Inbox',
    tools: 'Tools',
    settings: 'Settings',
  },
  state: {
    loading: 'Loading …',
    failedToLoad: 'This could not be loaded.',
    tryAgain: 'Try again',
    notFound: 'There is no page at this address.',
    toFlows: 'Go to the flows',
  },
  flows: {
    title: 'Flows',
    empty: 'No flow yet',
  },
  settings: {
    title: 'Settings',
    appearance: 'Appearance',
    theme: 'Theme',
    themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
    language: 'Language',
  },
  soon: 'This screen is not there yet.',
};

/** The shape of a catalogue: a missing or misspelt text does not compile. */
export type Texts = typeof en;
