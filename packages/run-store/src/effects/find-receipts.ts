import type { Queryable } from '../artifacts/chunks.ts';
import { conditionsFor, type EffectColumns } from './effect-conditions.ts';
import { type EffectPlace, placeAt } from './effect-place.ts';
import type { EffectDetail, EffectFilter, EffectRef, EffectSummary } from './effect-shapes.ts';

/** What is kept of an effect after its run was dropped. */
export interface FoundReceipt {
  readonly place: EffectPlace;
  readonly summary: EffectSummary;
}

const COLUMNS: EffectColumns = {
  at: 'at',
  runId: 'run_id',
  seq: 'seq',
  workspaceId: 'workspace_id',
  flow: 'flow_name',
  target: 'target',
  isEffect: 'effect = ?',
  isKey: 'key = ?',
  keyValue: (key) => key,
};

const SELECT = `run_id as "runId", seq, ${placeAt('at')} as at, flow_name as flow, version_id as version, path, attempt, call, effect,
  target, key, request_hash as "requestHash", worker_id as "workerId", status, ended_at as "endedAt", late_at as "lateAt", is_doubt as doubt,
  failure_code as "failureCode", failure_class as "failureClass", output_hash as "outputHash", effect_id as "effectId",
  cost_nano_usd::float8 as "costNanoUsd", tokens::float8 as tokens, started_by as "startedBy", settled_by as "settledBy",
  settled_as as "settledAs"`;

/** Receipts that fit a filter, newest first. Index: effect_receipt_by_time. */
export async function findReceipts(
  db: Queryable,
  filter: EffectFilter & { readonly workspaceId: string },
  behind: EffectPlace | undefined,
  limit: number,
): Promise<FoundReceipt[]> {
  const where = conditionsFor(COLUMNS, filter, behind);
  const { rows } = await db.query<ReceiptRow>(
    `select ${SELECT}
     from effect_receipt
     where ${where.text}
     order by at desc, run_id desc, seq desc
     limit $${where.values.length + 1}`,
    [...where.values, limit],
  );
  return rows.map((row) => ({ place: row, summary: receiptOf(row) }));
}

/** One receipt; undefined when the workspace has none such (V14). Index: effect_receipt's primary key. */
export async function getReceipt(
  db: Queryable,
  { workspaceId, runId, seq }: EffectRef,
): Promise<EffectDetail | undefined> {
  const { rows } = await db.query<ReceiptRow>(
    `select ${SELECT} from effect_receipt where run_id = $1 and seq = $2 and workspace_id = $3`,
    [runId, seq, workspaceId],
  );
  const [row] = rows;
  return row && { ...receiptOf(row), ...(row.outputHash !== null && { outputHash: row.outputHash }) };
}

interface ReceiptRow extends EffectPlace {
  readonly endedAt: Date | null;
  readonly lateAt: Date | null;
  readonly doubt: boolean | null;
  readonly failureCode: string | null;
  readonly failureClass: NonNullable<EffectSummary['failure']>['class'] | null;
  readonly outputHash: string | null;
  readonly costNanoUsd: number | null;
  readonly [column: string]: unknown;
}

function receiptOf(row: ReceiptRow): EffectSummary {
  const {
    endedAt,
    lateAt,
    doubt,
    failureCode,
    failureClass,
    outputHash: _hash,
    costNanoUsd,
    at,
    ...same
  } = row;
  const told = {
    id: `${row.runId}/${row.seq}`,
    ...same,
    at: new Date(at).toISOString(),
    endedAt: endedAt?.toISOString(),
    lateAt: lateAt?.toISOString(),
    doubt: doubt || undefined,
    failure: failureCode === null ? undefined : { code: failureCode, class: failureClass },
    costUsd: costNanoUsd === null ? undefined : costNanoUsd / 1e9,
    receipt: true,
  };
  return Object.fromEntries(
    Object.entries(told).filter(([, value]) => value !== null && value !== undefined),
  ) as unknown as EffectSummary;
}
