import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { BatchJournal } from './batch-journal.js';
import { lockWriter, storeUnreconciled } from './reconciliation.sql.js';

/**
 * This process's row in `quota_writer`, and the journal of the entries that it sent. A statement can still commit after its
 * connection is lost, so every new connection first reads the outcome of the last entry from the row.
 */
export class QuotaWriter {
  readonly id = randomUUID();
  readonly journal = new BatchJournal();

  /**
   * Waits for the batch of a lost connection and stores the unreconciled counts, in one transaction, so that no other entry
   * comes in between. The commit waits for the disk, so a crash of the database does not undo it.
   */
  async takeOver(client: Client): Promise<void> {
    // A batch of a lost connection can run until its session's statement_timeout. These timeouts must be longer.
    await client.query(
      'begin; set local synchronous_commit = on; set local lock_timeout = 3000; set local statement_timeout = 3000',
    );
    this.journal.reconcile(await lockWriter(client, this.id), performance.now());
    const skipped = await this.send(client);
    await client.query('commit');
    this.journal.reconciled(performance.now(), skipped ?? undefined);
    // A long outage leaves counts of many keys. The loop ends when a pass stores nothing, for example because rows are locked.
    const { unreconciled } = this.journal;
    for (let left = Infinity; unreconciled.size > 0 && unreconciled.size < left;) {
      left = unreconciled.size;
      await this.reconcile(client);
    }
  }

  /** Stores the unreconciled counts of at most 2000 keys, after `takeOver`. They are as durable as a batch. */
  async reconcile(client: Client): Promise<void> {
    const skipped = await this.send(client);
    if (skipped !== null) return this.journal.reconciled(performance.now(), skipped);
    // Fenced, because the row of an idle process is deleted after a week.
    this.journal.rolledBack();
    await this.takeOver(client);
  }

  private send(client: Client): Promise<ReadonlySet<string> | null> {
    const { number, counts } = this.journal.beginReconciliation();
    return storeUnreconciled(client, this.id, number, counts);
  }
}
