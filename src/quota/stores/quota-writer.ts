import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { BatchJournal } from './batch-journal.js';
import { lockWriter, storeUnreconciled } from './reconciliation.sql.js';

/**
 * This process as a writer of counts: its row in `quota_writer` and the journal of the entries it sent. A statement whose
 * client has gone still commits later. So every new connection first reads from the row what became of the last entry.
 */
export class QuotaWriter {
  readonly id = randomUUID();
  readonly journal = new BatchJournal();

  /**
   * Waits for the batch of a lost connection and stores the unreconciled counts, in one transaction, so that no other entry
   * of this writer comes in between. The commit waits for the disk: a crash of the server does not undo it.
   */
  async takeOver(client: Client): Promise<void> {
    // A batch of a lost connection runs for up to the statement_timeout of its session, so this wait has to be longer.
    await client.query(
      'begin; set local synchronous_commit = on; set local lock_timeout = 3000; set local statement_timeout = 3000',
    );
    this.journal.reconcile(await lockWriter(client, this.id), performance.now());
    const skipped = await this.send(client);
    await client.query('commit');
    this.journal.reconciled(performance.now(), skipped ?? undefined);
    // A long outage leaves many keys. Counts that are added meanwhile wait for the next call, so that this one ends.
    const { unreconciled } = this.journal;
    for (let left = Infinity; unreconciled.size > 0 && unreconciled.size < left;) {
      left = unreconciled.size;
      await this.reconcile(client);
    }
  }

  /** Stores unreconciled counts, of 2000 keys at most, on a connection that has been taken over. As durable as a batch. */
  async reconcile(client: Client): Promise<void> {
    const skipped = await this.send(client);
    if (skipped !== null) return this.journal.reconciled(performance.now(), skipped);
    // The row of an idle process is deleted after a week.
    this.journal.rolledBack();
    await this.takeOver(client);
  }

  private send(client: Client): Promise<ReadonlySet<string> | null> {
    const { number, counts } = this.journal.beginReconciliation();
    return storeUnreconciled(client, this.id, number, counts);
  }
}
