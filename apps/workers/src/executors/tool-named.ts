import type { Failure } from '@pawl/dag-core';
import type { Tool } from '@pawl/tool-sdk';
import type { EffectHost } from '../runtime/effect-host.ts';

/** A tool by `<name>@<version>`; a failure when this worker does not have it. */
export function toolNamed(host: EffectHost, ref: string): Tool | Failure {
  const found = host.tools.get(ref);
  if (found) return found;
  const nearest = host.tools.nearest(ref);
  const hint = nearest ? ` Did you mean ${nearest}?` : '';
  return {
    code: 'tool_unknown',
    message: `Tool ${ref} is not loaded in this worker.${hint}`,
    class: 'transient',
  };
}
