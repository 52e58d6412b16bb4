import type { Texts } from './en.ts';

/** Simplified Chinese. */
export const zhCn: Texts = {
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
    failedToLoad: '无法加载。',
    tryAgain: '重试',
    notFound: '此地址没有页面。',
    toFlows: '前往流程',
  },
  flows: {
    title: '流程',
    empty: '还没有流程',
  },
  settings: {
    title: '设置',
    appearance: '外观',
    theme: '主题',
    themes: { system: '跟随系统', light: '浅色', dark: '深色' },
    language: '语言',
  },
  soon: '此页面尚未完成。',
};
