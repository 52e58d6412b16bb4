// What goes wrong with files, in words for the person who drew the flow. Paths are shown as they were given:
// where the allowed folder lies on this machine is nobody's business.
import { PermanentError, ToolInputError, TransientError } from '@pawl/tool-sdk';

export const pathOutside = (path: string): ToolInputError =>
  new ToolInputError({
    code: 'path_outside',
    message: `Path ${JSON.stringify(path)} leads out of the folder that file tools may use. Give a path inside of it, relative to it.`,
  });

export const rootMissing = (cause: unknown): PermanentError =>
  new PermanentError({
    code: 'folder_missing',
    message: 'The folder that file tools may use does not exist. Create it or correct the configuration.',
    cause,
  });

export const tooLarge = (path: string, bytes: number, limit: number): PermanentError =>
  new PermanentError({
    code: 'file_too_large',
    message: `File ${JSON.stringify(path)} has ${bytes} bytes; at most ${limit} are allowed.`,
    detail: { bytes, limit },
  });

export const notText = (path: string): PermanentError =>
  new PermanentError({
    code: 'file_not_text',
    message: `File ${JSON.stringify(path)} is not UTF-8 text. Read it with encoding "base64".`,
  });

export const notAFile = (path: string): PermanentError =>
  new PermanentError({ code: 'not_a_file', message: `${JSON.stringify(path)} is not an ordinary file.` });

const TRANSIENT: readonly string[] = [
  'EMFILE',
  'ENFILE',
  'EAGAIN',
  'EBUSY',
  'EIO',
  'ENOSPC',
  'EDQUOT',
  'ESTALE',
];
const SENTENCES: Readonly<Record<string, readonly [code: string, sentence: string]>> = {
  ENOENT: ['file_missing', 'does not exist'],
  ENOTDIR: ['file_missing', 'does not exist: a part of the path is not a folder'],
  ELOOP: ['file_missing', 'does not exist: its links go in a circle'],
  EISDIR: ['not_a_file', 'is a folder'],
  EEXIST: ['not_a_file', 'cannot be written: a part of the path is a file'],
  EACCES: ['file_forbidden', 'may not be used by this process'],
  EPERM: ['file_forbidden', 'may not be used by this process'],
  EROFS: ['file_forbidden', 'lies on a read-only file system'],
  ENAMETOOLONG: ['path_too_long', 'has a name that is too long for the file system'],
};

/** An error of the file system as an error of the tool; anything else is handed on unchanged. */
export function fileProblem(path: string, cause: unknown): unknown {
  const { code } = (cause ?? {}) as { code?: unknown };
  if (typeof code !== 'string') return cause;
  if (TRANSIENT.includes(code)) {
    const message = `File ${JSON.stringify(path)} cannot be used right now (${code}).`;
    return new TransientError({ code: 'file_system_busy', message, cause });
  }
  const known = SENTENCES[code];
  if (known === undefined) return cause;
  return new PermanentError({ code: known[0], message: `File ${JSON.stringify(path)} ${known[1]}.`, cause });
}
