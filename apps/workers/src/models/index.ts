export { readModelsConfig } from './config.ts';
export { createModels, type Models, type ModelsConfig } from './registry.ts';
