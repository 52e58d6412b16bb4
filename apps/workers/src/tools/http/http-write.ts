import { defineTool, type EffectClass, type Tool } from '@pawl/tool-sdk';
import { z } from 'zod';
import { artifactOutput } from '../artifact-reference.ts';
import { answerFields, answerOutput, type HttpLimits, headOf, keepBody, readValue } from './answer.ts';
import { bodyFields, HEADER_NAME, hasOneBody, requestFields } from './request.ts';
import { resourceOf } from './resource.ts';
import { sendRequest } from './send.ts';

/** A tool that changes something by one method. */
interface WriteTool {
  readonly name: string;
  readonly method: 'PUT' | 'DELETE' | 'POST' | 'PATCH';
  readonly effect: Exclude<EffectClass, 'pure'>;
  readonly title: string;
  readonly says: string;
}

const WRITES: readonly WriteTool[] = [
  {
    name: 'http.put',
    method: 'PUT',
    effect: 'idempotent',
    title: 'Put by HTTP',
    says: 'a second PUT of the same leaves it as it is',
  },
  {
    name: 'http.delete',
    method: 'DELETE',
    effect: 'idempotent',
    title: 'Delete by HTTP',
    says: 'what is gone stays gone',
  },
  {
    name: 'http.post',
    method: 'POST',
    effect: 'non_repeatable',
    title: 'Post by HTTP',
    says: 'a second POST may do it twice, so a lost answer is uncertain',
  },
  {
    name: 'http.patch',
    method: 'PATCH',
    effect: 'non_repeatable',
    title: 'Patch by HTTP',
    says: 'a second PATCH may do it twice, so a lost answer is uncertain',
  },
  {
    name: 'http.post_keyed',
    method: 'POST',
    effect: 'idempotent',
    title: 'Post by HTTP, with a key that counts',
    says: 'use it only when the service does the work once per key',
  },
  {
    name: 'http.patch_keyed',
    method: 'PATCH',
    effect: 'idempotent',
    title: 'Patch by HTTP, with a key that counts',
    says: 'use it only when the service does the work once per key',
  },
];

/** RFC 6585 and RFC 8470: the service says that it did not look at the request. */
const NEVER_APPLIED: readonly number[] = [425, 429];

const common = {
  ...requestFields,
  ...bodyFields,
  keyHeader: z
    .string()
    .regex(HEADER_NAME, 'must be the name of a header')
    .default('Idempotency-Key')
    .describe('The header that carries the key of the effect.'),
  as: z.enum(['auto', 'json', 'text', 'artifact']).default('auto'),
  ...answerFields,
  name: z.string().min(1).max(200).optional().describe('Of the artifact, where the answer is kept as one.'),
};
const input = z.strictObject(common);
const notAppliedStatus = z
  .array(z.int().min(400).max(599))
  .default([])
  .describe(
    'Statuses by which this service says that it did nothing, besides 425 and 429: tried again then.',
  );
const oneBody = [hasOneBody, { message: 'give one of json, text, form and artifact, or none' }] as const;

const describe = ({ method, says }: WriteTool): string =>
  `Sends ${method} with the key of the effect; ${says}. The answer is JSON, text or, for anything else, an artifact.`;

/** `http.put@1`, `http.delete@1`, `http.post@1`, …: one method and one effect class each. */
export const httpWrites = (limits: HttpLimits): Tool[] => WRITES.map((tool) => httpWrite(tool, limits));

function httpWrite(tool: WriteTool, limits: HttpLimits): Tool {
  const { name, method, effect, title } = tool;
  const mayDoubt = effect === 'non_repeatable';
  return defineTool({
    name,
    version: '1',
    title,
    description: describe(tool),
    effect,
    input: mayDoubt ? input.extend({ notAppliedStatus }).refine(...oneBody) : input.refine(...oneBody),
    output: z.strictObject({ ...answerOutput, body: z.unknown(), artifact: artifactOutput.optional() }),
    async execute(ctx, args) {
      const stated = 'notAppliedStatus' in args ? (args.notAppliedStatus as number[]) : [];
      const answer = await sendRequest(ctx, {
        method,
        args,
        keyHeader: args.keyHeader,
        ...(mayDoubt && { notAppliedStatus: [...NEVER_APPLIED, ...stated] }),
      });
      const body = await readValue(answer, args, limits);
      if (body !== undefined) return { ...headOf(answer), body };
      return { ...headOf(answer), body: null, artifact: await keepBody(ctx, answer, args, limits) };
    },
    resources: ({ url }) => ({ writes: resourceOf(url) }),
  });
}
