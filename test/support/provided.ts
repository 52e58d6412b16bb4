// What the servers of a test run are told to its files: the keys of `provide` and `inject`.
import 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of a superuser; tests make their own databases with `createTestDatabase`. */
    databaseUrl: string;
    /** Undefined when this machine has no Redis (never so in CI). */
    redisUrl: string | undefined;
    /** Name of a database with the tables of this release; nobody connects to it, so that it can be copied. */
    migratedDatabase: string;
  }
}
