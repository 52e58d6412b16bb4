export { readModelsConfig } from './config.ts';
export { type OutputProblem, parseStructured, type StructuredOutput } from './parse-structured.ts';
export { createModels, type Models, type ModelsConfig } from './registry.ts';
export { repairRequest } from './repair-prompt.ts';
