/** The database holds migrations that this release does not know. */
export class SchemaNewerError extends Error {
  readonly code = 'schema_newer';
  constructor(unknown: readonly string[], newest: string) {
    super(
      `The database was migrated by a newer release (it holds ${unknown.join(', ')}; this release ends at ${newest}). ` +
        'Start the newer release, or restore a backup made before the upgrade.',
    );
    this.name = 'SchemaNewerError';
  }
}

/** Another process, or a lock on a table, kept a migration waiting for too long. */
export class MigrationTimeoutError extends Error {
  readonly code = 'migration_timeout';
  constructor(timeoutMs: number, options?: ErrorOptions) {
    super(
      `The database could not be migrated within ${timeoutMs} ms, because another process holds a lock it needs. ` +
        'Nothing was changed. Wait until the other process is done and start again.',
      options,
    );
    this.name = 'MigrationTimeoutError';
  }
}
