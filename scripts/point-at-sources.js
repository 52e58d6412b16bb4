// Stack traces of a script that was bundled. Node itself maps those of modules only.
import { readFileSync } from 'node:fs';
import { findSourceMap, SourceMap } from 'node:module';

/**
 * Makes stack traces name sources, from now on, in this process.
 *
 * @param script  absolute path; its source map lies beside it, in `.map`, and is read when the first trace is
 */
export function pointAtSources(script) {
  let map;
  const mapOf = (file) => {
    if (file !== script) return findSourceMap(file);
    map ??= new SourceMap(JSON.parse(readFileSync(`${script}.map`, 'utf8')));
    return map;
  };
  Error.prepareStackTrace = (error, sites) =>
    [headOf(error), ...sites.map((site) => `    at ${atSource(site, mapOf)}`)].join('\n');
}

function headOf(error) {
  try {
    return String(Error.prototype.toString.call(error));
  } catch {
    return 'Error';
  }
}

function atSource(site, mapOf) {
  const text = String(site);
  const [file, line, column] = [site.getFileName(), site.getLineNumber(), site.getColumnNumber()];
  try {
    const entry = file && line && mapOf(file)?.findEntry(line - 1, column - 1);
    if (!entry?.originalSource) return text;
    const source = entry.originalSource.replace(/^file:\/\//, '');
    return text.replace(
      `${file}:${line}:${column}`,
      `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`,
    );
  } catch {
    return text;
  }
}
