import { Migration } from '@mikro-orm/migrations';

/** Receipts of effects are forgotten by their age, whatever their workspace. */
export class ReceiptAgeMigration extends Migration {
  override async up(): Promise<void> {
    this.addSql('create index effect_receipt_by_age on effect_receipt (at)');
  }
}
