export function bundleOf(main: string, cache?: string): Promise<string>;
