import { PermanentError } from '@pawl/tool-sdk';

/**
 * Bytes as text; a byte order mark is dropped. A byte that the charset does not have is an error, never a replacement.
 *
 * @param charset a label of the WHATWG encoding standard, for instance `utf-8`, `gbk`, `windows-1252`
 * @param what    the subject of the sentence, for instance `The answer of https://…`
 * @throws {PermanentError} `charset_unknown`, `not_text`
 */
export function decodeText(bytes: Uint8Array, charset: string, what: string): string {
  const decoder = decoderFor(charset, what);
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new PermanentError({
      code: 'not_text',
      message: `${what} is not text in the charset ${decoder.encoding}. Name the right charset, or take it as bytes.`,
      cause,
    });
  }
}

function decoderFor(charset: string, what: string) {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch (cause) {
    throw new PermanentError({
      code: 'charset_unknown',
      message: `${what} is in the charset ${JSON.stringify(charset)}, which is not known here. Name another one, for instance utf-8.`,
      cause,
    });
  }
}
