import type { Texts } from '../en.ts';

export const agentTools: Pick<Texts, 'agentTools'> = {
  agentTools: {
    add: '添加',
    settings: '此工具的设置',
    settingsOfQuestion: '此提问的设置',
    calledAs: '模型称它为 {{name}}',
    unreadable: '既不是工具，也不是向人员的提问',
    asJson: '以 JSON 表示',
    name: '给模型的名称',
    description: '给模型的说明',
    args: '由流程给出的参数',
    argsAbout: '模型看不到这些参数，也无法更改。此处未设置的参数由模型填写。',
    approve: '满足此条件时须先由人批准',
    approveAbout: '留空：任何调用都不等待。true：每次调用都等待。args 是该调用的参数。',
    approveMore: '指定由谁批准，以及截止时间',
    afterDeadline: {
      fail: '告知模型无人答复',
      reject: '视为拒绝',
      approve: '视为批准',
    },
    onError: '调用失败时',
    afterError: { tell: '告知模型', fail: '使智能体失败' },
    usually: '{{what}}（默认）',
    formAbout: '留空：人员以文本答复。',
    notOffered: '目前没有工作进程提供此工具。',
  },
};
