import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { routesAsData } from './routes-as-data.ts';

/** `PAWL_ENGINE_URL` is the engine behind `vite dev`; what is built talks to whoever serves it. */
const engine = process.env.PAWL_ENGINE_URL ?? 'http://127.0.0.1:7420';

/**
 * cmdk brings a dialog that nothing here opens, and with it all that dialogs need, before the first of them. The lists of commands need
 * none of it; our own dialogs are loaded when they are asked for.
 */
const cmdkWithoutDialog = (): Plugin => ({
  name: 'pawl:cmdk-without-dialog',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === '@radix-ui/react-dialog' && importer && /[/\\]cmdk[/\\]/.test(importer)
      ? NO_DIALOG
      : undefined,
  load: (id) =>
    id === NO_DIALOG ? 'export const Root = 0, Portal = 0, Overlay = 0, Content = 0;' : undefined,
});
const NO_DIALOG = '\0no-dialog';

export default defineConfig({
  plugins: [react(), routesAsData(), cmdkWithoutDialog()],
  build: { target: 'es2023', sourcemap: true, manifest: true, chunkSizeWarningLimit: 2_000 },
  worker: { format: 'es', plugins: () => [routesAsData()] },
  css: { modules: { localsConvention: 'camelCase' } },
  server: { proxy: { '/v1': engine, '/health': engine, '/ready': engine } },
});
