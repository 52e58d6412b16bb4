/** A JSON value (RFC 8259). Integers beyond ±(2^53−1) never appear as numbers; send them as strings. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}
/** A JSON Schema document, draft 2020-12. */
export type JsonSchema = boolean | JsonObject;
