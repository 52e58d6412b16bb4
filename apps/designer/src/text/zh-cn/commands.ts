import type { Texts } from '../en.ts';

export const commands: Pick<Texts, 'commands'> = {
  commands: {
    canvas: {
      nodes: '节点',
      ways: '移动',
      flow: '流程',
      add: '添加节点',
      connect: '连接节点……',
      disconnect: '删除连线……',
      rename: '重命名',
      remove: '删除所选内容',
      duplicate: '复制',
      selectAll: '全选',
      settings: '选择；再按一次进入设置',
      giveUp: '取消选择',
      go: '前往前、后、上、下的节点',
      reach: '同时选择该节点',
      move: '移动所选内容',
      in: '进入容器',
      out: '离开容器',
      test: '测试流程，或测试到所选节点',
      asList: '以列表显示',
      asCanvas: '以画布显示',
    },
  },
};
