import type { ModelToolCall } from '@pawl/tool-sdk';

// Rules kept here (C64): servers number and name the pieces of a streamed tool call as they like: pieces of several calls take
// turns, two calls share an index, an id comes with the first piece only, or never. A piece belongs to the call of its id; without
// an id to the newest call of its index; a name after whole arguments begins another call. Pieces of two calls are never joined.

interface Piece {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: string | null };
}

interface OpenCall {
  readonly index: number | undefined;
  id: string | undefined;
  name: string;
  text: string;
}

/** Puts the pieces of streamed tool calls together, from the chunks of Chat Completions as they came. */
export class ToolCallPieces {
  readonly #calls: OpenCall[] = [];

  /** Takes a chunk; whatever is no chunk with pieces is passed over. */
  take(chunk: unknown): void {
    const { choices } = (chunk ?? {}) as { choices?: readonly { delta?: { tool_calls?: unknown } }[] };
    const pieces = Array.isArray(choices) ? choices[0]?.delta?.tool_calls : undefined;
    if (Array.isArray(pieces)) for (const piece of pieces) this.#add(piece as Piece);
  }

  /** The calls in the order in which they began; those without an id get one. */
  calls(): ModelToolCall[] {
    return this.#calls.map(({ id, name, text }, i) => ({ id: id ?? `call_${i}`, name, arguments: text }));
  }

  #add(piece: Piece): void {
    const index = piece.index ?? undefined;
    const id = piece.id || undefined;
    const { name, arguments: text } = piece.function ?? {};
    const known = id === undefined ? this.#without(index, name || undefined) : this.#named(id, index);
    const call = known ?? { index, id, name: '', text: '' };
    if (!known) this.#calls.push(call);
    call.id ??= id;
    if (call.name === '') call.name = name ?? '';
    call.text += text ?? '';
  }

  #named(id: string, index: number | undefined): OpenCall | undefined {
    const isHere = (call: OpenCall) =>
      index === undefined || call.index === undefined || call.index === index;
    return (
      this.#calls.findLast((call) => call.id === id && isHere(call)) ??
      this.#calls.findLast((call) => call.id === undefined && call.index === index && index !== undefined)
    );
  }

  #without(index: number | undefined, name: string | undefined): OpenCall | undefined {
    const newest =
      index === undefined ? this.#calls.at(-1) : this.#calls.findLast((call) => call.index === index);
    if (!newest || name === undefined) return newest;
    const isOther = newest.name !== '' && (newest.name !== name || isWhole(newest.text));
    return isOther ? undefined : newest;
  }
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
