import { examine } from './doctor/examine.ts';

// What `pawl doctor` starts: prints the findings as one JSON array and ends.
process.stdout.write(`${JSON.stringify(await examine(process.env))}\n`, () => process.exit(0));
