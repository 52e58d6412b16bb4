import { ToolInputError } from '@pawl/tool-sdk';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * The bytes of a text argument. Text with half an emoji in it has no UTF-8 form; it is refused rather than changed.
 *
 * @throws {ToolInputError} `content_invalid`, naming `pointer`
 */
export function decodeContent(text: string, encoding: 'utf8' | 'base64', pointer: string): Buffer {
  if (encoding === 'utf8') {
    if (/\p{Surrogate}/u.test(text))
      throw invalid(pointer, 'contains half of a surrogate pair, which UTF-8 cannot hold');
    return Buffer.from(text, 'utf8');
  }
  if (!BASE64.test(text)) throw invalid(pointer, 'is not base64');
  return Buffer.from(text, 'base64');
}

const invalid = (pointer: string, message: string): ToolInputError =>
  new ToolInputError({
    code: 'content_invalid',
    message: `The content cannot be written: ${pointer} ${message}.`,
    issues: [{ pointer, message }],
  });
