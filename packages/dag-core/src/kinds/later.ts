import type { LaterNode } from '../graph/document.ts';
import { DEFAULT_RETRY } from '../state/retry.ts';
import { type Kind, type KindEffect, NORMAL_PORT } from './kind.ts';

/** A kind that this release parses and refuses at publish (K12). */
function later(name: LaterNode['kind'], effect: KindEffect): Kind<LaterNode> {
  return {
    name,
    available: false,
    dispatches: false,
    defaultRetry: DEFAULT_RETRY,
    fields: { required: [], properties: {} },
    effect: () => effect,
    ports: () => [NORMAL_PORT],
    templates: () => [],
  };
}

export const flow = later('flow', 'container');
