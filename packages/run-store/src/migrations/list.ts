import type { Migration } from '@mikro-orm/migrations';
import { InitialMigration } from './0001-initial.ts';
import { MoreMigration } from './0002-more.ts';
import { WaitsMigration } from './0005-waits.ts';
import { FlowControlMigration } from './0006-flow-control.ts';
import { ToolCacheMigration } from './0007-tool-cache.ts';
import { PausingMigration } from './0008-pausing.ts';
import { TriggersMigration } from './0011-triggers.ts';
import { UnsettledMigration } from './0012-unsettled.ts';
import { ContentAndEffectsMigration } from './0013-content-and-effects.ts';
import { SignalsMigration } from './0014-signals.ts';
import { SubFlowsMigration } from './0015-sub-flows.ts';
import { CallbacksMigration } from './0016-callbacks.ts';
import { LinesMigration } from './0017-lines.ts';
import { ReceiptAgeMigration } from './0018-receipt-age.ts';
import { TestVersionsMigration } from './0019-test-versions.ts';
import { AccessMigration } from './0020-access.ts';
import { ToolUseMigration } from './0021-tool-use.ts';
import { HiddenFlowsMigration } from './0023-hidden-flows.ts';
import { WorkerOffersMigration } from './0024-worker-offers.ts';
import { CredentialsMigration } from './0025-credentials.ts';
import { JournalTargetMigration } from './0026-journal-target.ts';

/** One step of the schema: forward only, named once and for ever. */
export interface MigrationEntry {
  readonly name: string;
  readonly class: new (...args: ConstructorParameters<typeof Migration>) => Migration;
}

/** Every step of the schema in order. A released entry is never changed or removed; a change is a new entry at the end. */
export const MIGRATIONS: readonly MigrationEntry[] = [
  { name: '0001-initial', class: InitialMigration },
  { name: '0002-more', class: MoreMigration },
  { name: '0005-waits', class: WaitsMigration },
  { name: '0006-flow-control', class: FlowControlMigration },
  { name: '0007-tool-cache', class: ToolCacheMigration },
  { name: '0008-pausing', class: PausingMigration },
  { name: '0011-triggers', class: TriggersMigration },
  { name: '0012-unsettled', class: UnsettledMigration },
  { name: '0013-content-and-effects', class: ContentAndEffectsMigration },
  { name: '0014-signals', class: SignalsMigration },
  { name: '0015-sub-flows', class: SubFlowsMigration },
  { name: '0016-callbacks', class: CallbacksMigration },
  { name: '0017-lines', class: LinesMigration },
  { name: '0018-receipt-age', class: ReceiptAgeMigration },
  { name: '0019-test-versions', class: TestVersionsMigration },
  { name: '0020-access', class: AccessMigration },
  { name: '0021-tool-use', class: ToolUseMigration },
  { name: '0023-hidden-flows', class: HiddenFlowsMigration },
  { name: '0024-worker-offers', class: WorkerOffersMigration },
  { name: '0025-credentials', class: CredentialsMigration },
  { name: '0026-journal-target', class: JournalTargetMigration },
];
