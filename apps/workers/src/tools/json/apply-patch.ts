import { canonicalJson } from '@pawl/dag-core';
import { type Json, type JsonObject, PermanentError } from '@pawl/tool-sdk';
import { follow, listIndex, member, pointerOf } from './json-pointer.ts';
import { stepsOf } from './schemas.ts';

/** One operation of a JSON Patch (RFC 6902); members that an operation does not know are ignored, as the RFC says. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

/** What all copies of a patch together may hold: a patch that copies the whole into itself doubles it each time. */
const MAX_COPIED_VALUES = 1_000_000;

type Container = Json[] | JsonObject;

/**
 * Applies a JSON Patch to a copy of `document`.
 *
 * @throws {PermanentError} `patch_failed` or `patch_test_failed`, naming the operation by its index; nothing is applied then
 */
export function applyPatch(document: Json, operations: readonly PatchOperation[]): Json {
  const patch = new Patch(structuredClone(document));
  for (const [index, operation] of operations.entries()) patch.apply(operation, index);
  return patch.document;
}

class Patch {
  document: Json;
  #copied = 0;

  constructor(document: Json) {
    this.document = document;
  }

  apply(operation: PatchOperation, index: number): void {
    const refuse = (problem: string, code = 'patch_failed'): never => {
      throw new PermanentError({
        code,
        message: `Operation ${index} (${operation.op} ${JSON.stringify(operation.path)}) cannot be applied: ${problem}.`,
        detail: { operation: index },
      });
    };
    const path = stepsOf(operation.path);
    switch (operation.op) {
      case 'add':
        this.#add(path, structuredClone(operation.value), refuse);
        return;
      case 'remove':
        this.#remove(path, refuse);
        return;
      case 'replace':
        this.#replace(path, structuredClone(operation.value), refuse);
        return;
      case 'copy':
        this.#add(path, this.#copy(this.#get(stepsOf(operation.from), refuse), refuse), refuse);
        return;
      case 'move':
        this.#move(stepsOf(operation.from), path, refuse);
        return;
      case 'test':
        if (canonicalJson(this.#get(path, refuse)) !== canonicalJson(operation.value))
          refuse('the value there is another one', 'patch_test_failed');
    }
  }

  #get(steps: readonly string[], refuse: Refuse): Json {
    const found = follow(this.document, steps);
    return 'value' in found ? found.value : refuse(`there is nothing at ${found.missingAt}`);
  }

  #add(steps: readonly string[], value: Json, refuse: Refuse): void {
    const [holder, last] = this.#holder(steps, refuse);
    if (holder === undefined) this.document = value;
    else if (Array.isArray(holder)) {
      const at = last === '-' ? holder.length : listIndex(last, holder.length);
      holder.splice(at ?? refuse(`"${last}" is no place in a list of ${holder.length}`), 0, value);
    } else setMember(holder, last, value);
  }

  #remove(steps: readonly string[], refuse: Refuse): Json {
    const removed = this.#get(steps, refuse);
    const [holder, last] = this.#holder(steps, refuse);
    if (holder === undefined) this.document = null;
    else if (Array.isArray(holder)) holder.splice(Number(last), 1);
    else delete holder[last];
    return removed;
  }

  #replace(steps: readonly string[], value: Json, refuse: Refuse): void {
    this.#get(steps, refuse);
    const [holder, last] = this.#holder(steps, refuse);
    if (holder === undefined) this.document = value;
    else if (Array.isArray(holder)) holder[Number(last)] = value;
    else setMember(holder, last, value);
  }

  #move(from: readonly string[], to: readonly string[], refuse: Refuse): void {
    const isInside = to.length > from.length && from.every((step, index) => to[index] === step);
    if (isInside) refuse('a value cannot be moved into itself');
    this.#add(to, this.#remove(from, refuse), refuse);
  }

  /** The list or object that holds the last step, which must exist; undefined for the whole document. */
  #holder(steps: readonly string[], refuse: Refuse): [Container | undefined, string] {
    const last = steps.at(-1);
    if (last === undefined) return [undefined, ''];
    const holder = this.#get(steps.slice(0, -1), refuse);
    if (typeof holder === 'object' && holder !== null) return [holder, last];
    return refuse(`the value at ${pointerOf(steps.slice(0, -1)) || 'the top'} is neither list nor object`);
  }

  #copy(value: Json, refuse: Refuse): Json {
    const pending: Json[] = [value];
    while (pending.length > 0) {
      if (++this.#copied > MAX_COPIED_VALUES)
        refuse(`the copies of this patch hold more than ${MAX_COPIED_VALUES} values`);
      const next = pending.pop()!;
      if (typeof next === 'object' && next !== null)
        for (const inner of Object.values(next)) pending.push(inner);
    }
    return structuredClone(value);
  }
}

type Refuse = (problem: string, code?: string) => never;

/** As an own member, whatever its name. */
const setMember = (holder: JsonObject, key: string, value: Json): void => {
  if (member(holder, key) !== undefined) holder[key] = value;
  else Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
};
