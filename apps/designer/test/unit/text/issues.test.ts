import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { issues } from '../../../src/text/zh-cn/issues.ts';

it('every issue that the specification of the core names has a title in Chinese, and no other', () => {
  const spec = readFileSync(new URL('../../../../../packages/dag-core/SPEC.md', import.meta.url), 'utf8');
  const listed = /^Codes: (.*)$/m.exec(spec)![1]!.matchAll(/`([a-z_]+)`/g);
  expect(Object.keys(issues).sort()).toEqual([...listed].map(([, code]) => code).sort());
});
