import type { Rewrite } from '../editor/operations/rewrite.ts';

let loading: Promise<Rewrite | undefined> | undefined;

/** Loads what writes expressions anew, once; undefined when it does not come, which the next one tries again. */
export function loadRewrite(): Promise<Rewrite | undefined> {
  loading ??= import('../editor/operations/rewrite.ts').then(
    ({ rewrite }) => rewrite,
    () => {
      loading = undefined;
      return undefined;
    },
  );
  return loading;
}
