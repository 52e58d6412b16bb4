/** The shell: rail, states of loading, unknown addresses. */
export const shell = {
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
    notLoaded:
      'A part of this page could not be loaded. Load the page again when the server can be reached; your edits are kept.',
    reload: 'Load the page again',
    close: 'Close',
    tryAgain: 'Try again',
    notFound: 'There is no page at this address.',
    toFlows: 'Go to the flows',
  },
};
