import { Worker } from 'node:worker_threads';
import type { Json, JsonObject } from '@pawl/dag-core';
import { CodeFailure, type CodeProblem } from './code-failure.ts';

/** One execution of a code node. */
export interface CodeCall {
  /** Module text: `export default ({ input, nodes, item, index }) => …`; the function may be async. */
  readonly source: string;
  /** Copied in as JSON; `item` and `index` exist inside a map only. */
  readonly scope: {
    readonly input: Json;
    readonly nodes: JsonObject;
    readonly item?: Json;
    readonly index?: number;
  };
  /** Recorded clock reading, epoch milliseconds: the only time that the code sees, in UTC. */
  readonly now: number;
  /** Recorded randomness, 0…1; drawn from four times to seed the code's `Math.random`. */
  readonly random: () => number;
  /** Default 1,000. */
  readonly timeoutMs?: number;
  /** Heap of the code, its input included. Default 64; less than 16 counts as 16. */
  readonly memoryMb?: number;
}

export interface Sandbox {
  /**
   * Runs code without any access to process, network, clock or randomness but the recorded ones.
   *
   * The result must be JSON by the rule of `toJson`: `undefined` members are dropped, everything else that is not JSON
   * is refused with its pointer (C59).
   * @throws {CodeFailure}
   */
  run(call: CodeCall): Promise<Json>;
  /** Ends the threads; calls under way fail. */
  close(): Promise<void>;
}

interface Job {
  readonly call: CodeCall;
  resolve(value: Json): void;
  reject(problem: unknown): void;
}

type Reply = { readonly ok: true; readonly text: string } | ({ readonly ok: false } & CodeProblem);

const DEFAULT_MEMORY_MB = 64;
/** What the interpreter asks for to begin with; smaller limits cannot be kept. */
const LEAST_MEMORY_MB = 16;
/** A thread that has not stopped this long after its time was up hangs in a built-in and is ended. */
const KILL_GRACE_MS = 250;
/** A thread that cannot start within this time is broken. */
const START_MS = 10_000;

/** Threads are started when there is work and kept; each runs one call at a time. They do not keep the process alive. */
export function createSandbox(options: { readonly threads?: number } = {}): Sandbox {
  const limit = options.threads ?? 1;
  const waiting: Job[] = [];
  const threads = new Set<SandboxThread>();
  const idle: SandboxThread[] = [];
  let isClosed = false;

  const pump = (): void => {
    // A thread may have died while it had nothing to do.
    for (const thread of idle.splice(0)) {
      if (thread.isDead) threads.delete(thread);
      else idle.push(thread);
    }
    while (waiting.length > 0 && (idle.length > 0 || threads.size < limit)) {
      const thread = idle.pop() ?? new SandboxThread();
      threads.add(thread);
      void serve(thread, waiting.shift()!);
    }
  };
  const serve = async (thread: SandboxThread, job: Job): Promise<void> => {
    await thread.run(job.call).then(job.resolve, job.reject);
    if (thread.isDead) threads.delete(thread);
    else idle.push(thread);
    pump();
  };
  return {
    run(call) {
      if (isClosed) return Promise.reject(new Error('The code sandbox is closed.'));
      return new Promise<Json>((resolve, reject) => {
        waiting.push({ call, resolve, reject });
        pump();
      });
    },
    async close() {
      isClosed = true;
      for (const job of waiting.splice(0)) job.reject(new Error('The code sandbox is closed.'));
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}

class SandboxThread {
  isDead = false;
  readonly #worker: Worker;
  readonly #ready: Promise<void>;
  #settle: ((reply: Reply | Error) => void) | undefined;
  #lastId = 0;

  constructor() {
    // Without the loaders and the environment of this process: neither is needed there.
    this.#worker = new Worker(new URL('./sandbox-thread.mjs', import.meta.url), {
      execArgv: [],
      env: {},
      workerData: { memoryMb: DEFAULT_MEMORY_MB },
    });
    this.#ready = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('The code sandbox did not start.')), START_MS);
      const fail = (problem: Error): void => {
        clearTimeout(timer);
        this.isDead = true;
        reject(problem);
        this.#settle?.(problem);
      };
      this.#worker.once('error', fail);
      this.#worker.once('exit', () => fail(new Error('The code sandbox ended.')));
      this.#worker.on('message', (message: { ready?: true; id?: number } & Reply) => {
        clearTimeout(timer);
        if (message.ready) resolve();
        else if (message.id === this.#lastId) this.#settle?.(message);
      });
    });
    this.#ready.catch(() => undefined);
    this.#worker.unref();
  }

  async run(call: CodeCall): Promise<Json> {
    this.#worker.ref();
    try {
      await this.#ready;
      return await this.#exchange(call);
    } finally {
      this.#worker.unref();
    }
  }

  async end(): Promise<void> {
    this.isDead = true;
    await this.#worker.terminate();
  }

  async #exchange(call: CodeCall): Promise<Json> {
    const { timeoutMs = 1_000, memoryMb = DEFAULT_MEMORY_MB } = call;
    const message = {
      id: ++this.#lastId,
      source: call.source,
      scopeText: JSON.stringify(call.scope),
      now: call.now,
      seeds: Array.from({ length: 4 }, () => Math.floor(call.random() * 2 ** 32)),
      timeoutMs,
      memoryMb,
    };
    const reply = await new Promise<Reply | Error>((resolve) => {
      this.#settle = resolve;
      const timer = setTimeout(() => {
        resolve({ ok: false, code: 'code_timeout', message: 'killed' });
        void this.end();
      }, timeoutMs + KILL_GRACE_MS);
      this.#settle = (answer) => {
        clearTimeout(timer);
        resolve(answer);
      };
      this.#worker.postMessage(message);
    });
    if (reply instanceof Error) throw reply;
    return readReply(reply, timeoutMs, memoryMb);
  }
}

function readReply(reply: Reply, timeoutMs: number, memoryMb: number): Json {
  if (!reply.ok) throw new CodeFailure(withLimit(reply, timeoutMs, memoryMb));
  const result = JSON.parse(reply.text) as
    | { readonly ok: true; readonly value: Json }
    | { readonly ok: false; readonly pointer: string; readonly found: string };
  if (result.ok) return result.value;
  const where =
    result.pointer === '' ? 'The returned value itself' : `The returned value at ${result.pointer}`;
  throw new CodeFailure({
    code: 'code_result',
    message: `${where} is not JSON (found ${result.found}). Return plain objects, arrays, strings, finite numbers, booleans and null.`,
  });
}

function withLimit(problem: CodeProblem, timeoutMs: number, memoryMb: number): CodeProblem {
  if (problem.code === 'code_timeout') {
    return { ...problem, message: `The code ran longer than its limit of ${timeoutMs} ms.` };
  }
  if (problem.code === 'code_memory') {
    return {
      ...problem,
      message: `The code used more memory than its limit of ${Math.max(LEAST_MEMORY_MB, memoryMb)} MB.`,
    };
  }
  return problem;
}
