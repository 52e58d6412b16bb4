import { Migration } from '@mikro-orm/migrations';
import { createPartitionSql, MONTHS_AHEAD, wantedPartitions } from '../partitions/partition-sql.ts';
import { INITIAL_SCHEMA } from './0001-initial.sql.ts';

/** The first schema with the partitions of the months around the database's present. */
export class InitialMigration extends Migration {
  override async up(): Promise<void> {
    this.addSql(INITIAL_SCHEMA);
    const [{ now }] = (await this.execute('select now()::text as now')) as [{ now: string }];
    for (const partition of wantedPartitions(new Date(now), MONTHS_AHEAD)) {
      for (const statement of createPartitionSql(partition)) this.addSql(statement);
    }
  }
}
