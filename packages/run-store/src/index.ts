export * from './ids.ts';
export * from './store-types.ts';
