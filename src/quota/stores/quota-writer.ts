import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { BatchJournal, type StoredMark } from './batch-journal.js';
import type { KeyCounts } from './quota-store.js';
import { INSERT_WRITER, READ_WRITER, SETTLE } from './settle.sql.js';

interface Settled {
  /** 0: fenced. */
  readonly held: number;
  readonly passed_over: readonly string[] | null;
}

interface WriterRow {
  readonly batch: string;
  readonly short_keys: readonly string[] | null;
  readonly short_granted: readonly number[] | null;
  readonly at_ms: number;
}

/**
 * This process as a writer of counts: its row in `quota_writer` and the journal of what it sent. A statement whose
 * client has gone still commits later, so every new connection begins by asking the row what became of the last batch.
 */
export class QuotaWriter {
  readonly id = randomUUID();
  readonly journal = new BatchJournal();

  /**
   * Waits for a batch of a lost connection, works out what is owed and writes it, in one transaction, so that nothing of
   * this writer can come in between. It waits for the disk: once written, no stop of the server undoes it.
   */
  async takeOver(client: Client): Promise<void> {
    // An orphan runs for up to the session's own statement_timeout, so the wait for it has to be longer than that.
    await client.query(
      'begin; set local synchronous_commit = on; set local lock_timeout = 3000; set local statement_timeout = 3000',
    );
    const { rows } = await client.query<WriterRow>(READ_WRITER, [this.id]);
    const row = rows[0];
    if (row === undefined) await client.query(INSERT_WRITER, [this.id]);
    this.journal.reconcile(row === undefined ? null : markOf(row), performance.now());
    const { passed_over: passedOver } = await this.sendSettlement(client);
    await client.query('commit');
    this.journal.settled(performance.now(), new Set(passedOver));
    // After a long outage many keys are owed. What is served meanwhile is for later: an end has to come.
    for (let left = Infinity; this.journal.owed.size > 0 && this.journal.owed.size < left;) {
      left = this.journal.owed.size;
      await this.settle(client);
    }
  }

  /**
   * Writes what is owed on a connection that stays: of 2000 keys at most, of those whose rows nobody holds. As safe as a
   * batch: the journal remembers it for some seconds.
   */
  async settle(client: Client): Promise<void> {
    const { held, passed_over: passedOver } = await this.sendSettlement(client);
    if (held > 0) return this.journal.settled(performance.now(), new Set(passedOver));
    // The row of an idle process is deleted after a week without use.
    this.journal.rolledBack();
    await this.takeOver(client);
  }

  private async sendSettlement(client: Client): Promise<Settled> {
    const { number, counts } = this.journal.beginSettlement();
    const { rows } = await client.query<Settled>(SETTLE, [this.id, number, ...columnsOf(counts)]);
    return rows[0] ?? { held: 0, passed_over: null };
  }
}

function markOf(row: WriterRow): StoredMark {
  const granted = (row.short_keys ?? []).map((keyId, i) => [keyId, row.short_granted?.[i] ?? 0] as const);
  return { batch: Number(row.batch), atMs: row.at_ms, granted: new Map(granted) };
}

function columnsOf(counts: readonly KeyCounts[]): (string | number)[][] {
  return [
    counts.map((key) => key.keyId),
    counts.map((key) => key.minute),
    counts.map((key) => key.minuteCount),
    counts.map((key) => key.day),
    counts.map((key) => key.dayCount),
    counts.map((key) => key.month),
    counts.map((key) => key.monthCount),
  ];
}
