import type { ModelPrice, ModelProvider } from '@pawl/tool-sdk';
import type { Network } from '../network/index.ts';
import { invalidModel } from './call-errors.ts';
import { type CompatibleConfig, createCompatibleProvider } from './compatible.ts';
import { createOpenAiProvider, type OpenAiConfig } from './openai.ts';
import { createSimProvider, type SimConfig } from './sim.ts';

/** Which providers there are. */
export interface ModelsConfig {
  /** `false` takes the simulator away, so that no live flow can use it by mistake. */
  readonly sim?: SimConfig | false;
  readonly openai?: OpenAiConfig;
  readonly compatible?: CompatibleConfig;
  /** Providers of your own, made with `defineModelProvider`. */
  readonly providers?: readonly ModelProvider[];
}

/** A model that can be called: `<provider.name>:<model>` is the id again. */
interface ResolvedModel {
  readonly provider: ModelProvider;
  /** Goes into `ModelRequest.model`. */
  readonly model: string;
}

/** A model worth offering in a list. */
interface ListedModel {
  /** `<provider>:<model>`, as it is written in a flow. */
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  /** Absent: unpriced. */
  readonly price?: ModelPrice;
}

/** The models of a process, by id. */
export interface Models {
  /** @throws {ModelCallError} permanent, not sent, with a sentence that names what is there instead */
  resolve(id: string): ResolvedModel;
  has(id: string): boolean;
  /** Why an id cannot be used, in a sentence; undefined when it can. For publishing and validation. */
  problem(id: string): string | undefined;
  list(): ListedModel[];
  /** Names of the providers. */
  providers(): string[];
}

/**
 * Makes the registry of models. Nothing is sent; keys are not checked.
 *
 * @param network how servers are reached; default: public addresses, and the fixed ones of the configuration
 * @throws {TypeError} when two providers have one name
 */
export function createModels(config: ModelsConfig = {}, network?: Network): Models {
  const providers = new Map<string, ModelProvider>();
  for (const provider of providersOf(config, network)) {
    if (providers.has(provider.name))
      throw new TypeError(`There are two model providers named "${provider.name}".`);
    providers.set(provider.name, provider);
  }
  const find = (id: string): ResolvedModel | string => {
    const colon = id.indexOf(':');
    const name = id.slice(0, Math.max(0, colon));
    const model = id.slice(colon + 1);
    if (colon <= 0 || model === '')
      return `Model "${id}" is not complete: write <provider>:<model>, as in sim:writer.`;
    const provider = providers.get(name);
    if (provider === undefined) {
      return `Model "${id}" is not available: there is no provider "${name}"; configured are ${[...providers.keys()].join(', ')}.`;
    }
    return provider.check?.(model) ?? { provider, model };
  };
  return {
    resolve(id) {
      const found = find(id);
      if (typeof found === 'string') throw invalidModel(found);
      return found;
    },
    has: (id) => typeof find(id) !== 'string',
    problem(id) {
      const found = find(id);
      return typeof found === 'string' ? found : undefined;
    },
    list: () => [...providers.values()].flatMap(listed),
    providers: () => [...providers.keys()],
  };
}

function providersOf(
  { sim, openai, compatible, providers = [] }: ModelsConfig,
  network: Network | undefined,
): ModelProvider[] {
  return [
    ...(sim === false ? [] : [createSimProvider(sim)]),
    ...(openai === undefined ? [] : [createOpenAiProvider(openai, network)]),
    ...(compatible === undefined ? [] : [createCompatibleProvider(compatible, network)]),
    ...providers,
  ];
}

function listed(provider: ModelProvider): ListedModel[] {
  return (provider.models?.() ?? []).map((model) => {
    const price = provider.price(model);
    return {
      id: `${provider.name}:${model}`,
      provider: provider.name,
      model,
      ...(price === undefined ? {} : { price }),
    };
  });
}
