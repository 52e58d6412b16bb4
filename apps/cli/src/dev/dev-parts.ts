import { join } from 'node:path';
import { nodeArguments, REPOSITORY } from '../repository.ts';

/** What `pawl dev` starts and shows; tests put small stand-ins here. */
export interface DevParts {
  /** Arguments of `node` for each process. */
  readonly engine: readonly string[];
  readonly worker: readonly string[];
  readonly migrate: (databaseUrl: string, options: { log: (line: string) => void }) => Promise<unknown>;
  /** Holds one folder for each example, with `flow.yaml` or `flow.json`, `input.json` and, where needed, `services.ts`. */
  readonly examples: string;
  /** The example that is run. */
  readonly mainExample: string;
  /** What tools may read. */
  readonly filesRoot: string;
}

/** The apps and examples of this repository. */
export async function realParts(): Promise<DevParts> {
  const { migrate } = await import('@pawl/run-store');
  return {
    engine: nodeArguments(join(REPOSITORY, 'apps', 'engine', 'src', 'main.ts')),
    worker: nodeArguments(join(REPOSITORY, 'apps', 'workers', 'src', 'main.ts')),
    migrate,
    examples: join(REPOSITORY, 'examples'),
    mainExample: 'document-digest',
    filesRoot: REPOSITORY,
  };
}
