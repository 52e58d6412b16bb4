import type { EffectPlace } from './effect-place.ts';
import type { EffectFilter } from './effect-shapes.ts';

/** A `where` that grows, with its parameters. */
export class Conditions {
  readonly values: unknown[] = [];
  readonly #all: string[] = [];

  /** @param condition with a `?` for each of the values, in their order */
  add(condition: string, ...values: readonly unknown[]): this {
    let next = this.values.length;
    this.values.push(...values);
    this.#all.push(condition.replaceAll('?', () => `$${++next}`));
    return this;
  }

  get text(): string {
    return this.#all.join('\n  and ');
  }
}

/** How the columns of one source of effects are called. */
export interface EffectColumns {
  readonly at: string;
  readonly runId: string;
  readonly seq: string;
  readonly workspaceId: string;
  readonly flow: string;
  readonly target: string;
  /** A condition that is true for the class of effect in the place of `?`. */
  readonly isEffect: string;
  /** Likewise for the key, in the form that `keyValue` gives it. */
  readonly isKey: string;
  readonly keyValue: (key: string) => string;
}

/** What SQL can decide of a filter; statuses and people are told from the journal afterwards. */
export function conditionsFor(
  columns: EffectColumns,
  {
    workspaceId,
    flow,
    runId,
    target,
    effect,
    key,
    after,
    before,
  }: EffectFilter & { readonly workspaceId: string },
  behind: EffectPlace | undefined,
): Conditions {
  const where = new Conditions().add(`${columns.workspaceId} = ?`, workspaceId);
  if (flow !== undefined) where.add(`${columns.flow} = ?`, flow);
  if (runId !== undefined) where.add(`${columns.runId} = ?`, runId);
  if (target !== undefined)
    where.add(
      `${columns.target} ${target.includes('*') ? 'like' : '='} ?`,
      target.includes('*') ? target.replaceAll(/[\\%_]/g, '\\$&').replaceAll('*', '%') : target,
    );
  if (effect !== undefined) where.add(columns.isEffect, effect);
  if (key !== undefined)
    where.add(`${columns.runId} = ?`, runOfKey(key)).add(columns.isKey, columns.keyValue(key));
  if (after !== undefined) where.add(`${columns.at} >= ?`, after);
  if (before !== undefined) where.add(`${columns.at} < ?`, before);
  if (behind)
    where.add(
      `(${columns.at}, ${columns.runId}, ${columns.seq}) < (?::timestamptz, ?::uuid, ?::int)`,
      behind.at,
      behind.runId,
      behind.seq,
    );
  return where;
}

/** V4: a key begins with the id of its run. One that does not belongs to none. */
function runOfKey(key: string): string {
  const [found] = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=:)/.exec(key) ?? [];
  return found ?? '00000000-0000-0000-0000-000000000000';
}
