import type { Tool } from '@pawl/tool-sdk';
import { csvParse } from './csv-parse.ts';
import { csvStringify } from './csv-stringify.ts';

/** `csv.*`: tables as text. */
export const csvTools: readonly Tool[] = [csvParse, csvStringify];
