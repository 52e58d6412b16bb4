/** What can be done by keys and by name. */
export const commands = {
  commands: {
    canvas: {
      nodes: 'Nodes',
      ways: 'Going and moving',
      flow: 'The flow',
      add: 'Add a node',
      connect: 'Connect a node …',
      disconnect: 'Remove an edge …',
      rename: 'Rename',
      remove: 'Remove what is selected',
      duplicate: 'Duplicate',
      selectAll: 'Select all',
      settings: 'Select; once more: its settings',
      giveUp: 'Select nothing',
      go: 'Go to the node before, after, above, below',
      reach: 'Select that node as well',
      move: 'Move what is selected',
      in: 'Go into a container',
      out: 'Go out of a container',
      test: 'Test the flow, or up to the selected node',
      asList: 'Show as a list',
      asCanvas: 'Show as a canvas',
    },
  },
};
