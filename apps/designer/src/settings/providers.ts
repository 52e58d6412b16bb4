import type { ModelInfo, WorkState } from '@pawl/api';

/** A provider with its models, and how many of the live workers can call it. */
export interface ProviderModels {
  readonly provider: string;
  readonly models: readonly ModelInfo[];
  readonly workers: number;
  /** Name of the credential that brings its key along, where a live worker would take it. */
  readonly credential?: string;
  readonly isSimulated: boolean;
}

/** Providers that need nothing but configuration, whether or not a worker has it: the screen says how. */
const KNOWN = ['openai', 'compatible', 'sim'];

/** Providers whose key a workspace can set. */
const CREDENTIALS: Readonly<Record<string, string>> = { openai: 'OPENAI_API_KEY' };

/** Providers by name, the simulator last: those that Pawl brings, and those that some worker has offered. */
export function providersOf(
  models: readonly ModelInfo[],
  workers: WorkState['workers'],
): readonly ProviderModels[] {
  const offering = (provider: string) =>
    workers.filter(({ offers }) => offers?.providers.includes(provider)).length;
  const opens = workers.some(({ offers }) => offers?.opensCredentials);
  const names = new Set([
    ...KNOWN,
    ...models.map(({ provider }) => provider),
    ...workers.flatMap(({ offers }) => offers?.providers ?? []),
  ]);
  return [...names]
    .map((provider) => ({
      provider,
      models: models.filter((model) => model.provider === provider),
      workers: offering(provider),
      isSimulated: provider === 'sim',
      ...(opens && CREDENTIALS[provider] !== undefined && { credential: CREDENTIALS[provider] }),
    }))
    .sort((a, b) => Number(a.isSimulated) - Number(b.isSimulated) || (a.provider < b.provider ? -1 : 1));
}

/** Dollars for a million tokens with as many places as they have, two at least: `$0.10`, `$1.25`, `$0.075`. */
export function usd(perMillion: number): string {
  const places = Number(perMillion.toFixed(4)).toString().split('.')[1]?.length ?? 0;
  return `$${perMillion.toFixed(Math.max(2, places))}`;
}
