/** The Test tab of a node. They come with the settings of a node. */
export const testTab = {
  testTab: {
    gave: 'What it gave',
    reading: 'Reading the output …',
    pinned: 'Pinned output',
    pinnedAbout: 'Tests give this instead of running the node, unless it is the one that is tried.',
    leavesBy: 'It leaves by {{ports}}.',
    noPin: 'None. Pin what a run gave, and tests give it from then on.',
    tryIt: 'Try it',
    tryAbout: 'Nothing starts yet: a list of what each node will do comes first.',
    calls: '{{node}} calls {{what}}',
    held: '{{node}} must not be repeated: off until you let it run',
    more_one: 'and {{count}} more node that calls something',
    more_other: 'and {{count}} more nodes that call something',
  },
};
