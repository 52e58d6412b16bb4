import { parseJson } from '@pawl/dag-core';
import { defineTool, type Json } from '@pawl/tool-sdk';
import { z } from 'zod';
import { jsonProblem } from './json-problem.ts';
import { bigIntegers } from './schemas.ts';

/** `json.parse@1`: text as a value. */
export const jsonParse = defineTool({
  name: 'json.parse',
  version: '1',
  title: 'Read JSON text',
  description:
    'Turns JSON text into a value. Integers that would be rounded are refused or kept as text; a byte order mark is dropped.',
  effect: 'pure',
  input: z.strictObject({ text: z.string(), bigIntegers }),
  execute(_ctx, { text, bigIntegers }): Json {
    const parsed = parseJson(text.replace(/^\ufeff/, ''), { bigIntegers });
    if (parsed.issues) throw jsonProblem('The text', parsed.issues);
    return parsed.value;
  },
});
