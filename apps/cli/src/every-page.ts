interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string | undefined;
}

/**
 * Reads pages until there is none left, or `most` items are there.
 *
 * @param most  at least 1; absent: all
 */
export async function everyPage<T>(
  read: (cursor: string | undefined) => Promise<Page<T>>,
  most = Number.POSITIVE_INFINITY,
): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined && items.length < most);
  return items.slice(0, most);
}
