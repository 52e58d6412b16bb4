// How much a browser loads before it can show a screen: the entry, the screen, and all that both import at once.
import { gzipSync } from 'node:zlib';

/**
 * @param output the files of a build, as Vite returns them
 * @param screen the module of a lazily loaded screen, by the end of its path
 * @returns bytes of gzip, scripts and styles
 */
export function firstLoadBytes(output, screen) {
  const files = new Map(output.map((file) => [file.fileName, file]));
  const loaded = new Set();
  const load = (name) => {
    if (loaded.has(name) || !files.has(name)) return;
    loaded.add(name);
    const { imports = [], viteMetadata } = files.get(name);
    for (const other of [...imports, ...(viteMetadata?.importedCss ?? [])]) load(other);
  };
  for (const { fileName, isEntry, facadeModuleId } of output)
    if (isEntry || facadeModuleId?.endsWith(screen)) load(fileName);
  return [...loaded].reduce((sum, name) => sum + gzipSync(bytesOf(files.get(name))).length, 0);
}

const bytesOf = (file) => file.code ?? file.source;
