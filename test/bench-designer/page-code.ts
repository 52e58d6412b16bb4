import { join } from 'node:path';

/** Code for pages, by the end of its name: `.js`, and `.css` where it imports styles. */
export interface PageCode {
  readonly script: string;
  readonly style: string;
}

/** Bundles a file for the browser, as small and as fast as the designer itself is built. */
export async function bundleForPage(file: string): Promise<PageCode> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, file)],
    bundle: true,
    write: false,
    outdir: 'page',
    format: 'esm',
    target: 'es2023',
    jsx: 'automatic',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'silent',
  });
  const textOf = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  return { script: textOf('.js'), style: textOf('.css') };
}
