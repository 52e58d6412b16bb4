import type { JsonObject } from '@pawl/dag-core';
import { api, queryClient } from '../../api/client.ts';

/** Makes a flow of its first draft. */
export async function createFlow(document: JsonObject & { name: string }): Promise<void> {
  await api.createFlow({ body: document });
  await queryClient.invalidateQueries({ queryKey: ['flows'] });
}
