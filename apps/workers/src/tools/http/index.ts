import type { Tool } from '@pawl/tool-sdk';
import type { HttpLimits } from './answer.ts';
import { httpDownload, httpGet, httpHead } from './http-read.ts';
import { httpWrites } from './http-write.ts';

/** `http.*`: one tool for each method and effect class. */
export const httpTools = (limits: HttpLimits): Tool[] => [
  httpGet(limits),
  httpHead,
  httpDownload(limits),
  ...httpWrites(limits),
];
