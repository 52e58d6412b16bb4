// Everything this package can complain about. Codes are never renamed or reused.

/** Base of all errors of the queue; `code` is stable. */
export abstract class QueueError extends Error {
  abstract readonly code: string;
}

/** The queue's server is away or silent. Leave the doorbells to the relay: nothing is lost. */
export class QueueUnavailableError extends QueueError {
  readonly code = 'queue_unavailable';
  constructor(backend: string, reason: string, cause?: unknown) {
    super(
      `The doorbell queue on ${backend} is not available: ${reason}. Ring again later; the outbox keeps what was not rung.`,
      { cause },
    );
    this.name = 'QueueUnavailableError';
  }
}

/** The queue's tables are missing or of another version. */
export class QueueNotPreparedError extends QueueError {
  readonly code = 'queue_not_prepared';
  constructor(schema: string, reason: string, cause?: unknown) {
    super(
      `The doorbell queue's schema ${schema} cannot be used: ${reason}. Run prepareQueue (or \`pawl migrate\`) first.`,
      { cause },
    );
    this.name = 'QueueNotPreparedError';
  }
}

/** A setting of the queue is out of its range. */
export class QueueConfigError extends QueueError {
  readonly code = 'queue_config_invalid';
  constructor(setting: string, given: unknown, expected: string) {
    super(`Queue setting ${setting} is ${JSON.stringify(given)}; expected ${expected}.`);
    this.name = 'QueueConfigError';
  }
}

/** `ring` or `depth` was called after `close`. */
export class QueueClosedError extends QueueError {
  readonly code = 'queue_closed';
  constructor() {
    super('The doorbell queue was closed by this process; open a new one to ring again.');
    this.name = 'QueueClosedError';
  }
}

/** A message of a newer release was put aside until a newer worker takes it (case C53). */
export class NewerMessageError extends QueueError {
  readonly code = 'queue_message_newer';
  constructor(version: number, understood: number, delayMs: number) {
    super(
      `A doorbell message has version ${version}, this release understands ${understood}. ` +
        `It was put back for ${delayMs} ms; start a worker of the newer release to have it answered.`,
    );
    this.name = 'NewerMessageError';
  }
}

/** Something that is no doorbell message lay in the queue and was thrown away. */
export class UnreadableMessageError extends QueueError {
  readonly code = 'queue_message_unreadable';
  constructor(jobId: string) {
    super(
      `Queue job ${jobId} is no doorbell message and was dropped; the sweeper rings again for whatever it meant.`,
    );
    this.name = 'UnreadableMessageError';
  }
}
