import type { Texts } from '../en.ts';

export const access: Pick<Texts, 'access' | 'signIn'> = {
  access: {
    roles: { viewer: '查看者', operator: '操作员', editor: '编辑者', admin: '管理员' },
    may: {
      viewer: '可查看流程、运行和待办。',
      operator: '还可启动、停止和修复运行，并处理待办。',
      editor: '还可绘制和发布流程，并创建计划和 Webhook。',
      admin: '还可管理成员、API 密钥和限额。',
    },
    onlyLook: '您可以查看此流程，但不能更改。',
    needs: '此操作需要“{{needed}}”或更高的角色；您的角色是“{{role}}”。',
    passwordHint: '至少 12 个字符；几个词语容易记住。',
    passwordShort: '至少需要 12 个字符。',
    copy: '复制',
    copied: '已复制',
    kept: '我已保存',
  },
  signIn: {
    title: '登录 Pawl',
    name: '名称',
    password: '密码',
    key: 'API 密钥',
    otherWorkspace: '其他工作区',
    workspace: '工作区',
    go: '登录',
    withKey: '使用 API 密钥登录',
    withPassword: '使用名称和密码登录',
    help: '还没有账户？请联系工作区管理员创建。',
    failed: {
      password: '名称与密码不匹配。管理员可以设置新密码。',
      key: '此密钥在这里无效。请检查是否完整复制。',
    },
    slowed_one: '尝试次数过多。请等待 {{count}} 秒后重试。',
    slowed_other: '尝试次数过多。请等待 {{count}} 秒后重试。',
    again: '请重新登录',
    againText: '您的会话已结束。此页面上的内容保持不变。',
  },
};
