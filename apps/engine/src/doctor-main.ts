import { parseArgs } from 'node:util';
import { examine } from './doctor/examine.ts';

/** What `pawl doctor` starts: prints the findings as one JSON array and ends. */
export async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { repair: { type: 'boolean', default: false }, run: { type: 'string', multiple: true } },
  });
  const findings = await examine(process.env, {
    isRepairing: values.repair,
    ...(values.run && { runIds: values.run }),
  });
  process.stdout.write(`${JSON.stringify(findings)}\n`, () => process.exit(0));
}
