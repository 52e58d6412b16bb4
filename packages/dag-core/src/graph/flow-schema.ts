import type { Json, JsonObject } from '../json.ts';
import { KIND_NAMES, kinds } from '../kinds/index.ts';
import { budgetSchema, MAX_MS } from './budget-schema.ts';
import { FLOW_FORMAT, type KindName } from './document.ts';

// Rules kept here: G2 one JSON Schema describes the document; publish checks with it and the API serves it.

/** Ids begin with a letter, so that paths can tell them from item indexes and expressions can read them. */
export const NODE_ID_PATTERN = '^[A-Za-z][A-Za-z0-9_-]{0,63}$';

const slug: JsonObject = {
  type: 'string',
  pattern: '^[a-z][a-z0-9_-]{0,63}$',
  description: 'a slug: a lower-case letter, then lower-case letters, digits, _ or -, at most 64',
};

const nodeId: JsonObject = {
  type: 'string',
  pattern: NODE_ID_PATTERN,
  description: 'a node id: a letter, then letters, digits, _ or -, at most 64',
};

const pool: JsonObject = {
  type: 'string',
  pattern: '^[a-z][a-z0-9_-]{0,63}$',
  description:
    'the name of a pool of workers: a lower-case letter, then lower-case letters, digits, _ or -, at most 64',
};

const title: JsonObject = { type: 'string', maxLength: 500 };
const milliseconds: JsonObject = { type: 'integer', minimum: 0, maximum: MAX_MS };
const userSchema: JsonObject = { type: ['object', 'boolean'], description: 'a JSON Schema (2020-12)' };

/** Fields that every node has. */
const commonFields: JsonObject = {
  title,
  join: { enum: ['some', 'every', 'first'] },
  onError: {
    type: 'object',
    required: ['do'],
    properties: {
      do: { enum: ['fail', 'continue', 'pause', 'fallback'] },
      value: true,
      cached: { const: true },
    },
    additionalProperties: false,
    if: { required: ['do'], properties: { do: { const: 'fallback' }, cached: false } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['value'] },
  },
  retry: { $ref: '#/$defs/retry' },
  timeoutMs: { $ref: '#/$defs/timeoutMs' },
  pool,
};

function nodeSchema(name: KindName): JsonObject {
  const { fields } = kinds[name];
  return {
    title: name,
    type: 'object',
    required: ['id', 'kind', ...fields.required],
    properties: { id: nodeId, kind: { const: name }, ...commonFields, ...fields.properties },
    additionalProperties: false,
  };
}

const edge: JsonObject = {
  type: 'object',
  required: ['from', 'to'],
  additionalProperties: false,
  properties: {
    from: { type: 'string' },
    port: { type: 'string', minLength: 1, description: 'the name of a port of the node the edge leaves' },
    to: { type: 'string' },
  },
};

/** The JSON Schema (2020-12) of a flow document, served at its `$id` and used by `validateFlow` itself (G2). */
export const flowJsonSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: '/v1/schemas/flow.json',
  title: 'Pawl flow',
  description: `A flow document, format ${FLOW_FORMAT}`,
  type: 'object',
  required: ['format', 'name', 'nodes', 'edges'],
  additionalProperties: false,
  properties: {
    format: { const: FLOW_FORMAT },
    name: slug,
    title,
    description: { type: 'string', maxLength: 10_000 },
    input: userSchema,
    output: { description: 'a template of the run output' },
    budget: budgetSchema,
    pool,
    concurrency: {
      type: 'object',
      additionalProperties: false,
      properties: {
        key: { type: 'string', minLength: 1, description: 'a template over the input' },
        limit: { type: 'integer', minimum: 1, maximum: 10_000 },
      },
    },
    onFailure: { enum: ['fail', 'compensate'] },
    timeoutMs: { type: 'integer', minimum: 1, maximum: MAX_MS },
    bigIntegers: { enum: ['refuse', 'strings'] },
    nodes: { $ref: '#/$defs/nodes' },
    edges: { $ref: '#/$defs/edges' },
    layout: { description: 'positions, notes, frames, colours: never part of the version' },
  },
  $defs: {
    graph: {
      type: 'object',
      required: ['nodes', 'edges'],
      additionalProperties: false,
      properties: { nodes: { $ref: '#/$defs/nodes' }, edges: { $ref: '#/$defs/edges' } },
    },
    nodes: { type: 'array', minItems: 1, items: { $ref: '#/$defs/node' } },
    edges: { type: 'array', items: { $ref: '#/$defs/edge' } },
    edge,
    retry: {
      type: 'object',
      additionalProperties: false,
      properties: {
        maxAttempts: { type: 'integer', minimum: 1, maximum: 1_000 },
        initialMs: milliseconds,
        factor: { type: 'number', minimum: 1, maximum: 1_000 },
        maxMs: milliseconds,
        jitter: { type: 'number', minimum: 0, maximum: 1 },
      },
    },
    timeoutMs: { type: 'integer', minimum: 1, maximum: MAX_MS },
    node: {
      type: 'object',
      required: ['kind'],
      discriminator: { propertyName: 'kind' },
      oneOf: KIND_NAMES.map((name): Json => ({ $ref: `#/$defs/${name}` })),
    },
    ...Object.fromEntries(KIND_NAMES.map((name) => [name, nodeSchema(name)])),
  },
};
