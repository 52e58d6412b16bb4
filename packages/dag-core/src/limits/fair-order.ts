// Rules kept here: L7 workspaces take turns.

/**
 * Puts those who stand in a line in the order in which they are served: one of each workspace in turn, beginning behind the
 * workspace that was served last. Within a workspace the order stays as it is.
 *
 * @param last workspace that was served last; undefined: none
 */
export function fairOrder<T extends { readonly workspaceId: string }>(
  standing: readonly T[],
  last: string | undefined,
): T[] {
  const byWorkspace = new Map<string, T[]>();
  for (const one of standing) {
    const own = byWorkspace.get(one.workspaceId);
    if (own) own.push(one);
    else byWorkspace.set(one.workspaceId, [one]);
  }
  const ids = [...byWorkspace.keys()].sort();
  const turn = last === undefined ? 0 : ids.findIndex((id) => id > last);
  const inTurn = [...ids.slice(Math.max(0, turn)), ...ids.slice(0, Math.max(0, turn))].map(
    (id) => byWorkspace.get(id)!,
  );
  const ordered: T[] = [];
  for (let round = 0; ordered.length < standing.length; round++)
    for (const own of inTurn) if (round < own.length) ordered.push(own[round]!);
  return ordered;
}
