import { StoreError } from '../errors.ts';
import { isId } from '../ids.ts';

/** Rows per page, unless told otherwise, and at most. */
export interface PageSizes {
  readonly usual: number;
  readonly most: number;
}

/** A wished number of rows, brought into 1 … `most`. */
export function pageSize(limit: number | undefined, { usual, most }: PageSizes): number {
  return Math.min(Math.max(Math.trunc(limit ?? usual), 1), most);
}

/**
 * The page that rows make which were asked for with one more than its size.
 *
 * @param cursorOf cursor that starts behind an item
 */
export function pageOf<T>(
  items: readonly T[],
  size: number,
  cursorOf: (last: T) => string,
): { items: readonly T[]; nextCursor?: string } {
  if (items.length <= size) return { items };
  return { items: items.slice(0, size), nextCursor: cursorOf(items[size - 1]!) };
}

/** Cursor that starts behind an id. */
export function cursorAfterId(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

/**
 * The id a cursor starts behind.
 *
 * @throws {StoreError} `cursor_invalid`
 */
export function idOfCursor(cursor: string): string {
  const hex = Buffer.from(cursor, 'base64url').toString('hex');
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (!isId(id) || cursorAfterId(id) !== cursor) throw new StoreError('cursor_invalid');
  return id;
}

/** Cursor that starts behind a path. */
export function cursorAfterPath(path: string): string {
  return Buffer.from(path).toString('base64url');
}

/**
 * The path a cursor starts behind.
 *
 * @throws {StoreError} `cursor_invalid`
 */
export function pathOfCursor(cursor: string): string {
  const path = Buffer.from(cursor, 'base64url').toString('utf8');
  if (path.includes('\u0000') || cursorAfterPath(path) !== cursor) throw new StoreError('cursor_invalid');
  return path;
}
