export function bundleOf(
  main: string,
  options?: { readonly asScript?: boolean; readonly cache?: string; readonly settledMs?: number },
): Promise<string>;
