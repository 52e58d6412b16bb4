export { AddressRules, isLoopbackHost } from './address-rules.ts';
export type { Fetch } from './guarded-fetch.ts';
export { createNetwork, type Network } from './network.ts';
