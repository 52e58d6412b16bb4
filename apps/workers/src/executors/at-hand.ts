import type { Tool } from '@pawl/tool-sdk';
import type { EffectHost } from '../runtime/effect-host.ts';
import type { Lacks } from '../runtime/step.ts';

// What a worker has: its tools, each with its version, and its providers of models. Others may have more (C53).

/** A tool by `<name>@<version>`; or what this worker lacks. */
export function toolAtHand({ tools }: EffectHost, ref: string): Tool | Lacks {
  return tools.get(ref) ?? { type: 'lacks', needs: toolNeed(ref) };
}

/** What this worker lacks to call a model; undefined when the provider is there, whether or not it has the model. */
export function lackOfModel({ models }: EffectHost, id: string): Lacks | undefined {
  const colon = id.indexOf(':');
  const provider = id.slice(0, Math.max(0, colon));
  return colon <= 0 || models.providers().includes(provider)
    ? undefined
    : { type: 'lacks', needs: providerNeed(provider) };
}

/** What node runs may need that this worker has. */
export const whatIsAtHand = ({ tools, models }: Pick<EffectHost, 'tools' | 'models'>): string[] => [
  ...tools.declarations().map(({ ref }) => toolNeed(ref)),
  ...models.providers().map(providerNeed),
];

/** The line for a tool that a worker lacks. */
export const toolNeed = (ref: string) => `tool:${ref}`;
const providerNeed = (name: string) => `provider:${name}`;
