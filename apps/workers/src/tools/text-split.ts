import { defineTool, ToolInputError } from '@pawl/tool-sdk';
import { z } from 'zod';
import { splitText } from './split-text.ts';

/** `text.split@1`: passages of bounded size. */
export const textSplit = defineTool({
  name: 'text.split',
  version: '1',
  title: 'Split text',
  description:
    'Cuts a text into passages of bounded size, at the end of a paragraph if possible, else of a sentence, a line, a word. Without overlap the passages, put together, are the text.',
  effect: 'pure',
  input: z.strictObject({
    text: z.string(),
    maxCharacters: z.int().min(1).optional().describe('Counted as JavaScript counts: UTF-16 units.'),
    maxTokens: z.int().min(1).optional().describe('Approximate; exact counts differ from model to model.'),
    overlap: z
      .int()
      .min(0)
      .default(0)
      .describe('Repeated from the end of the passage before; same unit as the size.'),
  }),
  output: z.strictObject({
    count: z.int(),
    chunks: z.array(
      z.strictObject({
        index: z.int(),
        start: z.int().describe('First UTF-16 unit in the text.'),
        end: z.int().describe('One past the last.'),
        text: z.string(),
      }),
    ),
  }),
  execute(ctx, { text, maxCharacters, maxTokens, overlap }) {
    if (maxCharacters !== undefined && maxTokens !== undefined) {
      throw new ToolInputError({ message: 'Give maxCharacters or maxTokens, not both.' });
    }
    const unit = maxTokens === undefined ? 'characters' : 'tokens';
    const max = maxTokens ?? maxCharacters ?? DEFAULT_MAX_CHARACTERS;
    if (overlap > max / 2) {
      throw new ToolInputError({
        message: `An overlap of ${overlap} is more than half of the size of ${max}; make it smaller.`,
        issues: [{ pointer: '/overlap', message: `must be at most ${Math.floor(max / 2)}` }],
      });
    }
    const chunks = splitText(text, { unit, max, overlap, onChunk: () => ctx.heartbeat() });
    return { count: chunks.length, chunks };
  },
});

const DEFAULT_MAX_CHARACTERS = 4_000;
