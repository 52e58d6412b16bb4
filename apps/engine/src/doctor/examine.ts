import { openQueue, type QueueConfig } from '@pawl/queue';
import { checkContent, checkSchema, type Orm, openOrm } from '@pawl/run-store';
import { engineConfig, TimeConstantsError } from '../config.ts';
import { examineDoorbells } from './examine-doorbells.ts';
import { examineRows } from './examine-rows.ts';
import type { Finding, Treatment } from './finding.ts';

/**
 * Looks at everything an engine with this environment would use, and never throws for what it finds. Changes nothing, unless it is
 * to repair.
 */
export async function examine(env: NodeJS.ProcessEnv, treatment: Treatment): Promise<Finding[]> {
  const findings = [look('configuration', () => engineConfig(env), 'as an engine would read it')];
  try {
    const config = engineConfig(env);
    findings.push(timesAreWell(config));
    findings.push(...(await examineDatabase(config.databaseUrl, treatment)));
    findings.push(await examineQueue(config.queue));
  } catch (error) {
    // The time constants are read last: everything else of the configuration is fine then.
    if (!(error instanceof TimeConstantsError)) return findings;
    return [
      { check: 'configuration', ok: true, detail: 'as an engine would read it' },
      { check: 'time constants', ok: false, detail: error.message },
    ];
  }
  return findings;
}

function look(check: Finding['check'], read: () => unknown, detail: string): Finding {
  try {
    read();
    return { check, ok: true, detail };
  } catch (error) {
    return { check, ok: false, detail: (error as Error).message };
  }
}

const timesAreWell = ({ leaseMs, sweepMs }: { leaseMs: number; sweepMs: number }): Finding => ({
  check: 'time constants',
  ok: true,
  detail: `lease ${leaseMs} ms, sweep ${sweepMs} ms`,
});

async function examineDatabase(url: string, treatment: Treatment): Promise<Finding[]> {
  let orm: Orm | undefined;
  try {
    orm = await openOrm(url, { maxConnections: 1 });
    const { rows } = await orm.pool.query<{ name: string; durable: boolean }>(
      `select current_setting('server_version') as name, current_setting('fsync') = 'on' as durable`,
    );
    const server = rows[0] as { name: string; durable: boolean };
    const schema = await examineSchema(url, orm);
    const isUsable = schema.every((finding) => finding.ok);
    return [
      databaseFinding(server),
      ...schema,
      ...(isUsable
        ? [
            await examineRows(orm.pool, treatment),
            await examineDoorbells(orm.pool, treatment),
            await examineContent(orm),
          ]
        : []),
    ];
  } catch (error) {
    const detail = `The database does not answer: ${reasonOf(error)}. Check DATABASE_URL and that the server runs.`;
    return [{ check: 'database', ok: false, detail }];
  } finally {
    await orm?.close();
  }
}

const databaseFinding = ({ name, durable }: { name: string; durable: boolean }): Finding =>
  durable
    ? { check: 'database', ok: true, detail: `PostgreSQL ${name}` }
    : {
        check: 'database',
        ok: false,
        detail: `PostgreSQL ${name} runs with fsync off: a power cut may lose committed runs. Set fsync = on.`,
      };

async function examineSchema(url: string, orm: Orm): Promise<Finding[]> {
  const found = await checkSchema(url, orm.pool);
  const problems = found.flatMap(({ problem }) => problem ?? []);
  if (problems.length === 0)
    return [{ check: 'schema', ok: true, detail: found.map((each) => each.check).join(', ') }];
  return problems.map((detail) => ({ check: 'schema', ok: false, detail }));
}

async function examineContent(orm: Orm): Promise<Finding> {
  const { contents, broken } = await checkContent(orm.pool);
  const [first] = broken;
  if (!first) return { check: 'content', ok: true, detail: `${contents} contents are there as a whole` };
  const what = first.artifactId ? `artifact ${first.artifactId}` : `a value of run ${first.runId}`;
  return {
    check: 'content',
    ok: false,
    detail: `${broken.length} references lead to bytes that are not all there, first: ${what} has ${first.presentBytes} of ${first.bytes} bytes. Restore them from a backup.`,
  };
}

async function examineQueue(config: QueueConfig): Promise<Finding> {
  const where = config.backend === 'redis' ? 'Redis' : 'PostgreSQL';
  try {
    const queue = await openQueue(config);
    try {
      const { waiting } = await queue.depth();
      return { check: 'queue', ok: true, detail: `on ${where}, ${waiting} jobs waiting` };
    } finally {
      await queue.close();
    }
  } catch (error) {
    return { check: 'queue', ok: false, detail: `The queue on ${where} does not answer: ${reasonOf(error)}` };
  }
}

/** Connection errors carry their reason in a code, sometimes one for each address that was tried. */
function reasonOf(error: unknown): string {
  const { message, code, errors } = error as { message?: string; code?: string; errors?: unknown[] };
  if (message) return message;
  return errors?.[0] ? reasonOf(errors[0]) : (code ?? String(error));
}
