import type { Texts } from '../en.ts';

export const shell: Pick<Texts, 'app' | 'rail' | 'state'> = {
  app: { name: 'Pawl', skipToContent: '跳到内容' },
  rail: {
    label: '主导航',
    flows: '流程',
    runs: '运行',
    compare: '比较',
    inbox: '待办',
    tools: '工具',
    settings: '设置',
  },
  state: {
    loading: '正在加载……',
    notLoaded: '此页面的一部分无法加载。请在能连接到服务器时重新加载页面；您的编辑已保留。',
    reload: '重新加载页面',
    close: '关闭',
    tryAgain: '重试',
    notFound: '此地址没有页面。',
    toFlows: '前往流程',
  },
};
