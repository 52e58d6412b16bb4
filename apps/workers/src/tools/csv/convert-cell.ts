import { parseJson } from '@pawl/dag-core';
import type { Json } from '@pawl/tool-sdk';

/** What a column may be turned into. */
export const CELL_TYPES = ['string', 'number', 'integer', 'boolean', 'json'] as const;
export type CellType = (typeof CELL_TYPES)[number];

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const INTEGER = /^[+-]?\d+$/;
const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  false: false,
  yes: true,
  no: false,
  '1': true,
  '0': false,
};

/** The text of a cell as a value; undefined when it is none of that type. An empty cell is null unless it is a string. */
export function convertCell(text: string, type: CellType): Json | undefined {
  if (type === 'string') return text;
  const plain = text.trim();
  if (plain === '') return null;
  switch (type) {
    case 'number': {
      const value = NUMBER.test(plain) ? Number(plain) : Number.NaN;
      return Number.isFinite(value) ? value : undefined;
    }
    case 'integer': {
      const value = INTEGER.test(plain) ? Number(plain) : Number.NaN;
      return Number.isSafeInteger(value) ? value : undefined;
    }
    case 'boolean': {
      const word = plain.toLowerCase();
      return Object.hasOwn(BOOLEANS, word) ? BOOLEANS[word] : undefined;
    }
    case 'json': {
      return parseJson(plain, { bigIntegers: 'refuse' }).value;
    }
  }
}
