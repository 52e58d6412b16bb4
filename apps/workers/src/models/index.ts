export {
  type CompatibleConfig,
  type CompatibleServer,
  type ConfiguredPrice,
  createCompatibleProvider,
} from './compatible.ts';
export { readModelsConfig } from './config.ts';
export { createOpenAiProvider, type OpenAiConfig } from './openai.ts';
export {
  type OutputIssue,
  type OutputProblem,
  parseStructured,
  type StructuredAnswer,
  type StructuredOutput,
} from './parse-structured.ts';
export {
  createModels,
  type ListedModel,
  type Models,
  type ModelsConfig,
  type ResolvedModel,
} from './registry.ts';
export { repairMessages, repairRequest } from './repair-prompt.ts';
export { createSimProvider, type SimConfig } from './sim.ts';
