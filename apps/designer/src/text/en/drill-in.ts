/** Looking into the flows that nodes run. */
export const drillIn = {
  drillIn: {
    way: 'Way into sub-flows',
    graph: 'Graph of the sub-flow',
    node: 'The node',
    settings: 'As it is set',
    version: 'Version {{number}}, to be looked at',
    itself: 'The draft runs itself',
    edit: 'Edit this flow',
    open: 'Open {{flow}}',
    toDraft: 'Go to the draft of {{flow}}',
    missing: {
      node: 'There is no node {{step}} here that runs a flow.',
      name: 'The node {{step}} does not name a flow yet. Name one in its settings.',
      published:
        '{{flow}} has no published version yet, so there is nothing that {{step}} would run. Publish it first.',
      version: '{{flow}} has no such version. Name another one in the settings of {{step}}.',
    },
  },
};
