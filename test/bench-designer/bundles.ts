import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstLoad } from '../../scripts/first-load.js';

/** What a browser loads before it can show a screen. */
export interface Bundle {
  /** The screen's module, or `bare`. */
  readonly screen: string;
  /** Bytes of gzip, scripts and styles. */
  readonly bytes: number;
}

const MANIFEST = join(import.meta.dirname, '../../apps/designer/dist/.vite/manifest.json');

/** Every screen that the router loads when it is opened, the largest first; nothing lazily loaded after it is counted. */
export function bundles(bareBytes: number): Bundle[] {
  const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8')) as Record<
    string,
    { readonly dynamicImports?: string[] }
  >;
  const screens = (manifest['index.html']!.dynamicImports ?? []).filter((key) =>
    key.startsWith('src/screens/'),
  );
  const sizes = screens.map((screen) => ({
    screen,
    bytes: firstLoad(screen).reduce((sum, { bytes }) => sum + bytes, 0),
  }));
  return [
    ...sizes.toSorted((one, other) => other.bytes - one.bytes),
    { screen: 'bare React Flow', bytes: bareBytes },
  ];
}
