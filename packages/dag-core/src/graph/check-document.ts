import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { KIND_NAMES } from '../kinds/index.ts';
import { didYouMean } from './did-you-mean.ts';
import { FLOW_FORMAT } from './document.ts';
import { flowJsonSchema } from './flow-schema.ts';
import { errorAt, type Issue } from './issue.ts';
import { issuesFrom } from './schema-issues.ts';

let schemaCheck: ValidateFunction | undefined;

/** Compiled on first use: a worker that only runs flows never pays for it. */
function flowCheck(): ValidateFunction {
  schemaCheck ??= new Ajv2020({ allErrors: true, verbose: true, strict: false, discriminator: true }).compile(
    flowJsonSchema,
  );
  return schemaCheck;
}

/** Everything the JSON Schema of the document finds; format and kinds are said better elsewhere. */
export function checkStructure(document: unknown): Issue[] {
  const validate = flowCheck();
  if (validate(document)) return [];
  return (validate.errors ?? [])
    .filter((error) => error.instancePath !== '/format')
    .flatMap((error) =>
      error.keyword === 'discriminator' ? kindIssue(error) : issuesFrom([error], 'The flow'),
    )
    .map(renamed);
}

/** The kind of a node is missing, no text, or unknown (K1). */
function kindIssue({ instancePath, data }: ErrorObject): Issue[] {
  const { id, kind } = data as { id?: unknown; kind?: unknown };
  const name = typeof id === 'string' ? `Node "${id}"` : instancePath;
  if (kind === undefined) return []; // said by "required"
  const available = KIND_NAMES.join(', ');
  const message = `${name} is of kind ${JSON.stringify(kind)}, which does not exist; there are ${available}`;
  const hint = typeof kind === 'string' ? didYouMean(kind, KIND_NAMES) : undefined;
  return [errorAt('kind_unknown', `${instancePath}/kind`, message, hint)];
}

/** Codes of their own for what people meet most. */
function renamed(issue: Issue): Issue {
  if (/\/retry(?:\/|$)/.test(issue.pointer) && /^(?:\/nodes\/\d+(?:\/body)?)+\/retry/.test(issue.pointer)) {
    return { ...issue, code: 'retry_invalid' };
  }
  if (issue.code !== 'malformed') return issue;
  const last = issue.pointer.slice(issue.pointer.lastIndexOf('/') + 1);
  const code = malformed[last];
  return code === undefined ? issue : { ...issue, code };
}

const malformed: Readonly<Record<string, string | undefined>> = {
  name: 'slug_malformed',
  id: 'slug_malformed',
  model: 'model_malformed',
  tool: 'tool_malformed',
  flow: 'flow_malformed',
  port: 'port_malformed',
};

/** The document must be of this format: a newer one may mean something that this release would get wrong. */
export function checkFormat(format: unknown): Issue[] {
  if (format === FLOW_FORMAT || format === undefined) return [];
  const version = typeof format === 'string' ? /^pawl\/(\d{1,6})$/.exec(format)?.[1] : undefined;
  if (version !== undefined && Number(version) > Number(FLOW_FORMAT.split('/')[1])) {
    const message = `The flow is of format ${String(format)}; this release reads up to ${FLOW_FORMAT}`;
    return [errorAt('format_newer', '/format', message, 'open it with a newer release')];
  }
  return [
    errorAt(
      'format_unknown',
      '/format',
      `The format must be "${FLOW_FORMAT}", not ${JSON.stringify(format)}`,
    ),
  ];
}
