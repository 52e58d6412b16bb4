export * from './graph/document.ts';
export * from './journal/events.ts';
export * from './json.ts';
export * from './state/status.ts';
