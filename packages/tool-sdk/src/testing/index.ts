export {
  assertToolContract,
  type ContractCheck,
  type ContractOptions,
  type ContractReport,
  checkToolContract,
} from './contract.ts';
export {
  createTestContext,
  type KeptArtifact,
  type Responder,
  type Seen,
  type SeenRequest,
  type TestContextOptions,
} from './test-context.ts';
export { type TestedCall, testTool } from './test-tool.ts';
