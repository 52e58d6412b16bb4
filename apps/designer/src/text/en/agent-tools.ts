/** What an agent may call, in the inspector. They come with the settings of a node. */
export const agentTools = {
  agentTools: {
    add: 'Add',
    settings: 'Settings of this tool',
    settingsOfQuestion: 'Settings of this question',
    calledAs: 'The model calls it {{name}}',
    unreadable: 'Neither a tool nor a question to a person',
    asJson: 'As JSON',
    name: 'Name for the model',
    description: 'Description for the model',
    args: 'Arguments that the flow gives',
    argsAbout:
      'The model is not offered them and cannot change them. What is not set here, the model writes.',
    approve: 'A person allows the call first when',
    approveAbout: 'Nothing here: no call waits. true: every call waits. args has the arguments of the call.',
    approveMore: 'Say who allows it, and until when',
    afterDeadline: {
      fail: 'Tell the model that nobody answered',
      reject: 'It counts as rejected',
      approve: 'It counts as approved',
    },
    onError: 'When the call fails',
    afterError: { tell: 'Tell the model', fail: 'Fail the agent' },
    usually: '{{what}} (usual)',
    formAbout: 'Nothing here: the person answers with a text.',
    notOffered: 'No worker offers this tool now.',
  },
};
