import type { Texts } from '../en.ts';

export const testTab: Pick<Texts, 'testTab'> = {
  testTab: {
    gave: '给出的内容',
    reading: '正在读取输出……',
    pinned: '固定的输出',
    pinnedAbout: '测试会直接给出它而不运行此节点，除非要试的正是此节点。',
    leavesBy: '经由 {{ports}} 离开。',
    noPin: '无。固定某次运行给出的内容后，测试便会给出它。',
    tryIt: '试一试',
    tryAbout: '现在什么都不会启动：会先列出每个节点要做什么。',
    calls: '{{node}} 调用 {{what}}',
    held: '{{node}} 不可重复：在您允许之前不会运行',
    more_one: '另有 {{count}} 个节点会进行调用',
    more_other: '另有 {{count}} 个节点会进行调用',
  },
};
