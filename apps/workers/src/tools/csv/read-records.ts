import { Readable } from 'node:stream';
import { setImmediate as letOthersWork } from 'node:timers/promises';
import { PermanentError } from '@pawl/tool-sdk';
import { CsvError, parse } from 'csv-parse';

/** How a text is divided. Each character option is one character. */
export interface CsvFormat {
  readonly delimiter: string;
  readonly quote: string;
  /** Lines that begin with it are left out. */
  readonly comment: string | undefined;
  readonly skipEmptyLines: boolean;
  readonly trim: boolean;
}

/** One record and the line of the text it ends on, counted from 1. */
export interface CsvRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

const PIECE_BYTES = 64 * 1024;
/** Larger records are a quote that is never closed, as a rule. */
const MAX_RECORD_BYTES = 1024 * 1024;

/**
 * The records of a CSV text (RFC 4180), one after the other; lets the process do other work between pieces.
 *
 * @param onPiece called before each piece; what it throws ends the reading
 * @throws {PermanentError} `csv_invalid`, naming the line
 */
export async function* readRecords(
  bytes: Uint8Array,
  format: CsvFormat,
  onPiece: () => void,
): AsyncGenerator<CsvRecord> {
  const parser = parse({
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    delimiter: format.delimiter,
    quote: format.quote,
    escape: format.quote,
    ...(format.comment !== undefined && { comment: format.comment, comment_no_infix: true }),
    skip_empty_lines: format.skipEmptyLines,
    trim: format.trim,
    relax_column_count: true,
    max_record_size: MAX_RECORD_BYTES,
    info: true,
  });
  const source = Readable.from(pieces(bytes, onPiece));
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      yield { cells: record, line: info.lines };
    }
  } catch (error) {
    throw error instanceof CsvError ? invalid(error) : error;
  } finally {
    source.destroy();
    parser.destroy();
  }
}

async function* pieces(bytes: Uint8Array, onPiece: () => void): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.byteLength; from += PIECE_BYTES) {
    onPiece();
    yield bytes.subarray(from, from + PIECE_BYTES);
    await letOthersWork();
  }
}

function invalid(error: CsvError): PermanentError {
  const message = error.message.replace(/\s+/g, ' ');
  return new PermanentError({
    code: 'csv_invalid',
    message: `The text is not CSV as described: ${message}.`,
    cause: error,
  });
}
