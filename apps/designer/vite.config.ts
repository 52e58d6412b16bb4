import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { routesAsData } from './routes-as-data.ts';

/** `PAWL_ENGINE_URL` is the engine behind `vite dev`; what is built talks to whoever serves it. */
const engine = process.env.PAWL_ENGINE_URL ?? 'http://127.0.0.1:7420';

export default defineConfig({
  plugins: [react(), routesAsData()],
  build: { target: 'es2023', sourcemap: true, manifest: true, chunkSizeWarningLimit: 2_000 },
  worker: { format: 'es', plugins: () => [routesAsData()] },
  css: { modules: { localsConvention: 'camelCase' } },
  server: { proxy: { '/v1': engine, '/health': engine, '/ready': engine } },
});
