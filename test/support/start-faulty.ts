import { join } from 'node:path';
import { type Ledger, startLedger } from './ledger.ts';
import { type Pawl, type PawlOptions, startPawl } from './pawl.ts';

/** Where the tools of tests of faults are. */
export const LEDGER_TOOLS = join(import.meta.dirname, 'ledger-tools.ts');

/** Short time constants, for tests that are not about the defaults. */
export const SHORT_TIMES = {
  PAWL_LEASE_MS: '3000',
  PAWL_SWEEP_MS: '300',
  PAWL_RELAY_MS: '300',
  PAWL_EFFECT_MARGIN_MS: '500',
};

/** Takes the short times away again: empty variables mean the defaults. */
export const DEFAULT_TIMES: Record<string, string> = Object.fromEntries(
  Object.keys(SHORT_TIMES).map((name) => [name, '']),
);

/** A Pawl whose workers know the tools of `ledger-tools.ts`, with the ledger that these talk to. */
export interface PawlWithLedger extends Pawl {
  readonly ledger: Ledger;
}

/** Starts ledger, engine and workers, with short time constants unless `env` says otherwise. */
export async function startWithLedger(
  options: PawlOptions & { readonly honoursKeys?: readonly string[] } = {},
): Promise<PawlWithLedger> {
  const { honoursKeys, ...rest } = options;
  const ledger = await startLedger(honoursKeys ? { honoursKeys } : {});
  const pawl = await startPawl({
    ...rest,
    env: { ...SHORT_TIMES, PAWL_TOOLS: LEDGER_TOOLS, LEDGER_URL: ledger.url, ...rest.env },
  });
  return {
    ...pawl,
    ledger,
    async stop() {
      await pawl.stop();
      await ledger.close();
    },
  };
}
