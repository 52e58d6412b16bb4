import { build } from 'esbuild';
import type { Plugin } from 'vite';

// What the client needs of the table of routes is where they are and what they answer with: plain data. The schemas are for the server,
// and the library that they are made of would be a sixth of what the page loads.

const TABLE = /[/\\]packages[/\\]api[/\\]src[/\\]routes[/\\]index\.ts$/;

/** Puts into the pages, instead of the table of routes, what a client reads of it. */
export const routesAsData = (): Plugin => ({
  name: 'pawl:routes-as-data',
  async load(id) {
    if (!TABLE.test(id)) return undefined;
    const { routes, LIVE_EVENTS, STREAM_EVENTS } = await runTypeScript(id);
    return [
      `export const routes = ${JSON.stringify(routes, asRead)};`,
      `export const LIVE_EVENTS = ${JSON.stringify(LIVE_EVENTS)};`,
      `export const STREAM_EVENTS = ${JSON.stringify(STREAM_EVENTS)};`,
    ].join('\n');
  },
});

/** Of a schema only that there is one. */
const asRead = (key: string, value: unknown): unknown => {
  if (['params', 'query', 'headers', 'errors', 'summary', 'description'].includes(key)) return undefined;
  if (key === 'schema' || (key === 'body' && !((value as object) && 'bytes' in (value as object))))
    return value && {};
  return value;
};

/** What a TypeScript module exports. */
async function runTypeScript(path: string): Promise<Record<string, unknown>> {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
  });
  const text = Buffer.from(outputFiles[0]!.contents).toString('base64');
  return (await import(`data:text/javascript;base64,${text}`)) as Record<string, unknown>;
}
