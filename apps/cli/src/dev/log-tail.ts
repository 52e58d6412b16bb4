import { readFile } from 'node:fs/promises';

/**
 * The last lines of a log file.
 *
 * @param from  byte where to begin reading
 */
export async function tail(file: string, from = 0, lineCount = 12): Promise<string> {
  const bytes = await readFile(file).catch(() => Buffer.alloc(0));
  return bytes.subarray(from).toString('utf8').trimEnd().split('\n').slice(-lineCount).join('\n');
}
