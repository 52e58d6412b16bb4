import type { Texts } from '../en.ts';

export const forms: Pick<Texts, 'forms' | 'code'> = {
  forms: {
    asJson: 'JSON',
    add: '添加',
    addTo: '添加到 {{name}}',
    moveUp: '上移第 {{place}} 项',
    moveDown: '下移第 {{place}} 项',
    remove: '删除第 {{place}} 项',
    issue: {
      json: '这还不是有效的 JSON。',
      required: '此项必填。',
      type: '应为 {{limit}}。',
      enum: '请从可选值中选择。',
      const: '应为 {{limit}}。',
      minimum: '不小于 {{limit}}。',
      maximum: '不大于 {{limit}}。',
      exclusiveMinimum: '须大于 {{limit}}。',
      exclusiveMaximum: '须小于 {{limit}}。',
      multipleOf: '须为 {{limit}} 的倍数。',
      minLength: '至少 {{limit}} 个字符。',
      maxLength: '最多 {{limit}} 个字符。',
      pattern: '须匹配 {{limit}}。',
      format: '应为 {{limit}} 格式。',
      minItems: '至少 {{limit}} 项。',
      maxItems: '最多 {{limit}} 项。',
      uniqueItems: '各项不得重复。',
      false: '不需要此项。',
    },
  },
  code: {
    hint: '按 Ctrl+空格可列出此处能读取的内容。按 Tab 离开此字段。',
    hintTabs: '按 Ctrl+空格可列出此处能读取的内容。Tab 用于缩进；先按 Esc 再按 Tab 离开此字段。',
    completions: '此处能读取的内容',
    offer: '在“{{label}}”中插入值',
  },
};
