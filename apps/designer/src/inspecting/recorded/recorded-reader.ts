import type { Answers, FromWorker, Question, ToWorker, Trouble } from './questions.ts';

/** How long an evaluation may take once everything is read, in milliseconds; the expression's own limit is far below. */
const LIMIT_MS = 1_500;

/** There is no answer; `trouble` says why. */
export class TroubleError extends Error {
  readonly trouble: Trouble;
  constructor(trouble: Trouble) {
    super(trouble.message);
    this.trouble = trouble;
  }
}

interface Open {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: TroubleError) => void;
  limit?: ReturnType<typeof setTimeout>;
}

/** Asks the worker that holds recorded runs. One whose evaluation does not come to an end is ended, and the next one starts anew. */
export class RecordedReader {
  #worker: Worker | undefined;
  #number = 0;
  readonly #open = new Map<number, Open>();

  /** @throws (by rejection) {TroubleError} */
  ask<Q extends Question>(question: Q): Promise<Answers[Q['ask']]> {
    this.#worker ??= this.#start();
    this.#number += 1;
    const number = this.#number;
    const answer = new Promise<Answers[Q['ask']]>((resolve, reject) => {
      this.#open.set(number, { resolve: resolve as Open['resolve'], reject });
    });
    this.#worker.postMessage({ ...question, number } satisfies ToWorker);
    return answer;
  }

  stop(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const { reject, limit } of this.#open.values()) {
      clearTimeout(limit);
      reject(new TroubleError({ code: 'expression_timeout', message: 'It takes too long.' }));
    }
    this.#open.clear();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./recorded-worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#hear(data);
    return worker;
  }

  #hear(word: FromWorker): void {
    const open = this.#open.get(word.number);
    if (!open) return;
    if ('begun' in word) {
      open.limit = setTimeout(() => this.stop(), LIMIT_MS);
      return;
    }
    clearTimeout(open.limit);
    this.#open.delete(word.number);
    if ('answer' in word) open.resolve(word.answer as never);
    else open.reject(new TroubleError(word.trouble));
  }
}
