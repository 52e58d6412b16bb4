import { isId } from '../ids.ts';

/** Names a question in the whole deployment: its run, and the place of the event that asked it. */
export const questionId = (runId: string, seq: number): string => `${runId}.${seq}`;

/** What a question id names; undefined for any other text. */
export function parseQuestionId(text: string): { readonly runId: string; readonly seq: number } | undefined {
  const [runId = '', seq = '', ...rest] = text.toLowerCase().split('.');
  if (rest.length > 0 || !isId(runId) || !/^[1-9]\d{0,9}$/.test(seq) || Number(seq) > 2_147_483_647)
    return undefined;
  return { runId, seq: Number(seq) };
}
