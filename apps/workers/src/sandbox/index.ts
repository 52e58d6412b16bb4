export { CodeFailure, type CodeFailureCode } from './code-failure.ts';
export { runCode } from './run-code.ts';
export { type CodeCall, createSandbox, type Sandbox } from './sandbox.ts';
