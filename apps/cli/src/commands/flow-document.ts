import type { JsonObject } from '@pawl/dag-core';
import { type DocumentIssue, DocumentUnreadableError, FlowInvalidError } from '../errors.ts';
import type { Io } from '../io.ts';
import { type ReadDocument, readDocument } from '../read-document.ts';
import { issueLine } from '../report-failure.ts';

export interface FlowFile extends ReadDocument {
  readonly value: JsonObject & { name: string };
}

/**
 * Reads a flow file, YAML or JSON, as far as its name.
 *
 * @throws {FileError} {DocumentUnreadableError} {FlowInvalidError} when it is no object with a name
 */
export async function readFlowFile(file: string, io: Io): Promise<FlowFile> {
  const read = await readDocument(file, io);
  const { value } = read;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const message = 'expected an object with format, name, nodes and edges';
    throw new DocumentUnreadableError(read.source, [{ pointer: '', code: 'not_an_object', message }]);
  }
  if (typeof value.name !== 'string') {
    const message = 'The flow has no name: expected a slug such as "ticket-triage" in "name".';
    throw new FlowInvalidError(read.source, [{ pointer: '/name', code: 'name_missing', message }]);
  }
  return { ...read, value: { ...value, name: value.name } };
}

/** Prints the problems of a flow file, each with its line where the format tells. */
export function printIssues(file: FlowFile, issues: readonly DocumentIssue[], io: Io): void {
  for (const issue of issues) {
    const place = file.placeOf(issue.pointer);
    io.out(`${issueLine(issue, io, place ? `${file.source}:${place}` : file.source)}\n`);
  }
}
