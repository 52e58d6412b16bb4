// Runs code nodes in a thread of its own, so that the event loop of the worker (leases, aborts) never stands still and
// a thread that hangs in a built-in without an interrupt check can be ended. Plain JavaScript: a thread then starts
// without the TypeScript loader, in milliseconds.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { newQuickJSWASMModule, newVariant, RELEASE_SYNC } from 'quickjs-emscripten';
import { IN_VM } from './in-vm.mjs';

/** Of QuickJS's own stack; the thread's real stack is several times larger, which the recursion tests check. */
const STACK_BYTES = 512 * 1024;
const USER_FILE = 'code.js';
/** Failures after which the interpreter is made anew. */
const TAINTED = ['code_memory', 'code_stack', 'code_timeout'];

// This realm belongs to the interpreter alone, and the interpreter asks it for the time: one recorded instant, in UTC.
let recordedNow = 0;
Date.now = () => recordedNow;
Date.prototype.getTimezoneOffset = () => 0;
for (const part of ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds', 'Milliseconds']) {
  Date.prototype[`get${part}`] = Date.prototype[`getUTC${part}`];
}

// The interpreter counts its own allocations wrongly in WebAssembly (8 bytes each), so the limit of the heap is the
// limit of the WebAssembly memory itself. Each size needs an instance of its own; the compiled module is shared.
const PAGE_BYTES = 65_536;
const MB = 1024 * 1024;
/** The module asks for this much to begin with, so smaller limits are rounded up to it. */
const LEAST_MB = 16;
/** Stack and tables of the interpreter, which are not the code's. */
const OWN_MB = 4;

const wasmFile = createRequire(import.meta.resolve('quickjs-emscripten')).resolve(
  '@jitl/quickjs-wasmfile-release-sync/wasm',
);
const wasmModule = await WebAssembly.compile(readFileSync(wasmFile));

let engine = await instantiate(workerData.memoryMb);
let spare = prepare();

parentPort.on('message', async (job) => {
  if (job.memoryMb !== engine.memoryMb) await renew(job.memoryMb);
  const reply = execute(job);
  // A heap that was full or left in the middle of something is not handed to the next call.
  if (!reply.ok && TAINTED.includes(reply.code)) await renew(job.memoryMb);
  parentPort.postMessage({ id: job.id, ...reply });
  // Made while the other side is busy with the answer: the next call finds its context ready.
  spare ??= prepare();
});
parentPort.postMessage({ ready: true });

async function instantiate(memoryMb) {
  const maximum = ((Math.max(LEAST_MB, memoryMb) + OWN_MB) * MB) / PAGE_BYTES;
  const memory = new WebAssembly.Memory({ initial: (LEAST_MB * MB) / PAGE_BYTES, maximum });
  const variant = newVariant(RELEASE_SYNC, { wasmModule, wasmMemory: memory });
  // A heap that could not hold even its own error: see `explain`.
  const isFull = () => memory.buffer.byteLength > 0.9 * maximum * PAGE_BYTES;
  return { memoryMb, isFull, quickjs: await newQuickJSWASMModule(variant) };
}

async function renew(memoryMb) {
  spare = undefined;
  engine = await instantiate(memoryMb);
}

function prepare() {
  const runtime = engine.quickjs.newRuntime();
  runtime.setMaxStackSize(STACK_BYTES);
  return { runtime, context: runtime.newContext() };
}

function execute(job) {
  const { runtime, context } = spare ?? prepare();
  spare = undefined;
  try {
    const reply = evaluate(runtime, context, job);
    context.dispose();
    runtime.dispose();
    return reply;
  } catch (problem) {
    return crashed(problem);
  }
}

/** The interpreter itself gave up: the thread's real stack ran out, or its heap could not even hold the error. */
const crashed = (problem) =>
  problem instanceof RangeError
    ? { ok: false, code: 'code_stack', message: 'The code calls itself too deeply.' }
    : { ok: false, code: 'code_memory', message: `The interpreter stopped: ${problem?.message ?? problem}` };

function evaluate(runtime, context, job) {
  recordedNow = job.now;
  const endsAt = performance.now() + job.timeoutMs;
  const isLate = () => performance.now() > endsAt;
  runtime.setMemoryLimit(job.memoryMb * MB);
  runtime.setInterruptHandler(isLate);
  const held = [];
  const hold = (handle) => {
    held.push(handle);
    return handle;
  };
  try {
    const boot = hold(context.unwrapResult(context.evalCode(IN_VM, 'in-vm.js')));
    const seeds = hold(context.unwrapResult(context.evalCode(`[${job.seeds.join(',')}]`)));
    const tools = hold(context.unwrapResult(context.callFunction(boot, context.undefined, seeds)));
    const parse = hold(context.getProp(tools, 'parse'));
    const finish = hold(context.getProp(tools, 'finish'));
    const scopeText = hold(context.newString(job.scopeText));
    const scope = hold(context.unwrapResult(context.callFunction(parse, context.undefined, scopeText)));
    const settle = (handle) => settled(runtime, context, handle, isLate, hold);

    const module = settle(
      hold(context.unwrapResult(context.evalCode(job.source, USER_FILE, { type: 'module' }))),
    );
    const main = hold(context.getProp(module, 'default'));
    if (context.typeof(main) !== 'function') {
      return {
        ok: false,
        code: 'code_no_default',
        message: 'The code must be a module with "export default ({ input, nodes }) => …".',
      };
    }
    const returned = hold(context.unwrapResult(context.callFunction(main, context.undefined, scope)));
    const text = hold(
      context.unwrapResult(context.callFunction(finish, context.undefined, settle(returned))),
    );
    return { ok: true, text: context.getString(text) };
  } catch (problem) {
    return explain(problem, isLate());
  } finally {
    runtime.removeInterruptHandler();
    for (const handle of held.reverse()) handle.dispose();
  }
}

/** The value of a promise once the job queue is empty; any other value as it is. */
function settled(runtime, context, handle, isLate, hold) {
  for (;;) {
    const state = context.getPromiseState(handle);
    if (state.type === 'fulfilled') return state.notAPromise ? handle : hold(state.value);
    if (state.type === 'rejected') throw context.unwrapResult({ error: state.error });
    if (isLate()) throw new Error('interrupted');
    const jobs = runtime.executePendingJobs(1_000);
    if (jobs.error) throw context.unwrapResult(jobs);
    if (jobs.value === 0 && context.getPromiseState(handle).type === 'pending') throw new NeverSettles();
  }
}

class NeverSettles extends Error {}

function explain(problem, isLate) {
  if (
    problem instanceof WebAssembly.RuntimeError ||
    (problem instanceof RangeError && problem.cause === undefined)
  ) {
    throw problem;
  }
  if (problem instanceof NeverSettles) {
    return {
      ok: false,
      code: 'code_never_settles',
      message:
        'The code waits for a promise that nothing will settle: there are no timers and no network here.',
    };
  }
  // unwrapResult puts what the user's code threw into `cause`: the dumped error, or any other value.
  const thrown = 'cause' in problem ? problem.cause : problem;
  const isError = typeof thrown === 'object' && thrown !== null && typeof thrown.message === 'string';
  return isError ? explainError(thrown, isLate) : explainValue(thrown);
}

function explainError(thrown, isLate) {
  const { message } = thrown;
  const name = typeof thrown.name === 'string' ? thrown.name : 'Error';
  if (message === 'interrupted' && isLate) return { ok: false, code: 'code_timeout', message };
  if (name === 'InternalError' && message === 'out of memory') {
    return { ok: false, code: 'code_memory', message };
  }
  if (name === 'InternalError' && message === 'stack overflow') {
    return {
      ok: false,
      code: 'code_stack',
      message: 'The code calls itself too deeply.',
      ...position(thrown),
    };
  }
  // Text that could not be read has its own place on top of the stack; a SyntaxError of JSON.parse has a function there.
  const isUnread = name === 'SyntaxError' && /^\s*at code\.js:/.test(String(thrown.stack));
  const code = isUnread ? 'code_syntax' : 'code_error';
  return { ok: false, code, message: `${name}: ${message}`, ...position(thrown) };
}

function explainValue(thrown) {
  // When there is no room for an error object, the interpreter throws null.
  if (thrown === null && engine.isFull()) return { ok: false, code: 'code_memory', message: 'out of memory' };
  const shown = typeof thrown === 'bigint' ? `${thrown}n` : (JSON.stringify(thrown) ?? String(thrown));
  return { ok: false, code: 'code_error', message: `The code threw ${shown}` };
}

/** Line and column of the innermost frame in the user's own text. */
function position(thrown) {
  const at = /code\.js:(\d+)(?::(\d+))?/.exec(String(thrown?.stack ?? ''));
  if (at === null) return {};
  return { line: Number(at[1]), ...(at[2] === undefined ? {} : { column: Number(at[2]) }) };
}
