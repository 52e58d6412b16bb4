import type { Texts } from '../en.ts';

export const drillIn: Pick<Texts, 'drillIn'> = {
  drillIn: {
    way: '子流程路径',
    graph: '子流程图',
    node: '节点',
    settings: '设置内容',
    version: '版本 {{number}}，仅供查看',
    itself: '草稿运行其自身',
    edit: '编辑此流程',
    open: '打开 {{flow}}',
    toDraft: '前往 {{flow}} 的草稿',
    missing: {
      node: '这里没有运行流程的节点 {{step}}。',
      name: '节点 {{step}} 尚未指定流程，请在其设置中指定。',
      published: '{{flow}} 尚无已发布的版本，{{step}} 无可运行的内容。请先发布它。',
      version: '{{flow}} 没有这个版本，请在 {{step}} 的设置中另选一个。',
    },
  },
};
