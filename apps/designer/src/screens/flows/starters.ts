import type { JsonObject } from '@pawl/dag-core';
import { readFlowText } from '../../flow-files/read-flow-text.ts';
import askAPerson from './starters/ask-a-person.yaml?raw';
import digestText from './starters/digest-text.yaml?raw';
import sortMessages from './starters/sort-messages.yaml?raw';

const TEXTS = { sortMessages, digestText, askAPerson };

/** Flows to begin with: they need no key and no service, only a worker. */
export const STARTERS = Object.keys(TEXTS) as (keyof typeof TEXTS)[];
export type Starter = keyof typeof TEXTS;

export async function readStarter(starter: Starter): Promise<JsonObject & { name: string }> {
  const { document } = (await readFlowText(TEXTS[starter])) as { document: JsonObject & { name: string } };
  return document;
}
