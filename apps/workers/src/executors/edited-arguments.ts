import type { Failure, Json } from '@pawl/dag-core';
import type { EffectHost } from '../runtime/effect-host.ts';
import { secretNames } from '../runtime/secret-references.ts';
import type { Step } from '../runtime/step.ts';
import { FORGED } from './agent-arguments.ts';

// Rules kept here: T19 what a person wrote is what is sent; V13 they name no secret that the flow does not name in that very place.

/**
 * The arguments of a drawn call: what a person wrote, else what the flow gives.
 *
 * @param fill gives the latter, with references where secrets stand; what a person wrote may stand in for a flow that cannot
 */
export async function flowArguments(
  host: EffectHost,
  step: Step,
  fill: () => Promise<Json>,
): Promise<{ readonly args: Json; readonly written?: never } | { readonly failure: Failure }> {
  const edited = await host.editedArguments(step);
  if (edited === undefined) return { args: await fill() };
  if (secretNames(edited).length > 0 && !namesOnlyThoseOf(edited, await fill())) return { failure: FORGED };
  return { args: edited };
}

/** True when every text or object of `edited` that names a secret stands in `given` in the same place, as it is. */
function namesOnlyThoseOf(edited: Json, given: Json | undefined): boolean {
  if (secretNames(edited).length === 0) return true;
  const isReference = typeof edited !== 'object' || edited === null || '$secret' in edited;
  if (isReference) return JSON.stringify(edited) === JSON.stringify(given);
  const places = (value: Json | undefined) =>
    typeof value === 'object' && value !== null ? (value as Record<string, Json>) : {};
  return Object.entries(places(edited)).every(([name, inner]) =>
    namesOnlyThoseOf(inner, Object.hasOwn(places(given), name) ? places(given)[name] : undefined),
  );
}
