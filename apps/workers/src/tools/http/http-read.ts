import { defineTool, type Tool } from '@pawl/tool-sdk';
import { z } from 'zod';
import { artifactOutput } from '../artifact-reference.ts';
import {
  answerFields,
  answerOutput,
  discardBody,
  type HttpLimits,
  headOf,
  keepBody,
  notInline,
  readValue,
} from './answer.ts';
import { requestFields } from './request.ts';
import { resourceOf } from './resource.ts';
import { sendRequest } from './send.ts';

/** `http.get@1`: reads an address. Pure: it is asked again whenever that helps. */
export const httpGet = (limits: HttpLimits): Tool =>
  defineTool({
    name: 'http.get',
    version: '1',
    title: 'Read by HTTP',
    description:
      'Sends GET and gives the answer as JSON or text. For bytes and large answers use http.download.',
    effect: 'pure',
    input: z.strictObject({
      ...requestFields,
      as: z.enum(['auto', 'json', 'text']).default('auto'),
      ...answerFields,
    }),
    output: z.strictObject({ ...answerOutput, body: z.unknown() }),
    async execute(ctx, args) {
      const answer = await sendRequest(ctx, { method: 'GET', args });
      const body = await readValue(answer, args, limits);
      if (body !== undefined) return { ...headOf(answer), body };
      await discardBody(answer);
      throw notInline(answer);
    },
    resources: ({ url }) => ({ reads: resourceOf(url) }),
  });

/** `http.head@1`: status and headers of an address. */
export const httpHead: Tool = defineTool({
  name: 'http.head',
  version: '1',
  title: 'Look by HTTP',
  description: 'Sends HEAD and gives status and headers.',
  effect: 'pure',
  input: z.strictObject(requestFields),
  output: z.strictObject(answerOutput),
  async execute(ctx, args) {
    const answer = await sendRequest(ctx, { method: 'HEAD', args });
    await discardBody(answer);
    return headOf(answer);
  },
  resources: ({ url }) => ({ reads: resourceOf(url) }),
});

/** `http.download@1`: an answer as an artifact. Idempotent and not pure, because an artifact is written. */
export const httpDownload = (limits: HttpLimits): Tool =>
  defineTool({
    name: 'http.download',
    version: '1',
    title: 'Download',
    description: 'Sends GET and keeps the body of the answer, of whatever kind, as an artifact.',
    effect: 'idempotent',
    input: z.strictObject({
      ...requestFields,
      name: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe('Of the artifact; default: what the answer or the address says.'),
      maxBytes: answerFields.maxBytes,
    }),
    output: z.strictObject({ ...answerOutput, artifact: artifactOutput }),
    async execute(ctx, args) {
      const answer = await sendRequest(ctx, { method: 'GET', args });
      return { ...headOf(answer), artifact: await keepBody(ctx, answer, args, limits) };
    },
    resources: ({ url }) => ({ reads: resourceOf(url) }),
  });
