import { z } from 'zod';

/** How a flow names a database. */
export const connectionName = z
  .string()
  .regex(/^[a-z][a-z0-9_]*$/, 'must be the name of a configured connection, in lower case')
  .describe('A database of the configuration: PAWL_SQL_SHOP is "shop".');

const IDENTIFIER_BYTES = 63;
const isIdentifier = (name: string): boolean =>
  name !== '' && !name.includes('\0') && Buffer.byteLength(name) <= IDENTIFIER_BYTES;

/** The name of a column, in the case in which the table has it. */
export const columnName = z
  .string()
  .refine(isIdentifier, `must be a name of at most ${IDENTIFIER_BYTES} bytes`);

/** The name of a table, with its schema or without. */
export const tableName = z
  .string()
  .refine((name) => {
    const parts = name.split('.');
    return parts.length <= 2 && parts.every(isIdentifier);
  }, 'must be a table or schema.table')
  .describe('In the case in which it was made (usually lower), with its schema or without.');

/** A name as SQL has it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const quotedTable = (name: string): string => name.split('.').map(quoted).join('.');
