import type { Tool } from '@pawl/tool-sdk';
import { jsonMerge } from './json-merge.ts';
import { jsonParse } from './json-parse.ts';
import { jsonPatch } from './json-patch.ts';
import { jsonQuery } from './json-query.ts';
import { jsonStringify } from './json-stringify.ts';

/** `json.*`: values and their text. */
export const jsonTools: readonly Tool[] = [jsonMerge, jsonParse, jsonPatch, jsonQuery, jsonStringify];
