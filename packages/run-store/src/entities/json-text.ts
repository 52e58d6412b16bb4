import { Type } from '@mikro-orm/core';

/**
 * A `json` column as the text it holds. Neither the driver nor the mapper parses, compares or re-orders it, so NUL escapes,
 * lone surrogates, a key named `__proto__` and the order of keys survive; whoever reads it calls `JSON.parse` once.
 */
export class JsonText extends Type<string, string> {
  override getColumnType(): string {
    return 'json';
  }

  override compareAsType(): string {
    return 'string';
  }

  // Cast on the way out: the driver parses values of type json, but not text.
  override convertToJSValueSQL(key: string): string {
    return `${key}::text`;
  }
}
