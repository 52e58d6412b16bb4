#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { runTypeScript } from '../../../scripts/run-typescript.js';

await runTypeScript(fileURLToPath(new URL('../src/main.ts', import.meta.url)));
