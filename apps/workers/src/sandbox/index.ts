export { runCode } from './run-code.ts';
export { type CodeCall, createSandbox, type Sandbox } from './sandbox.ts';
