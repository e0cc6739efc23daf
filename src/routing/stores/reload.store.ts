import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transactions.js';

/** The digest of the `GW_UPSTREAMS` file that a process loaded last. It decides which process writes the audit row of a reload. */
@Injectable()
export class ReloadStore {
  /** Returns the digest before, or undefined if it is equal. Null: no process has loaded a file yet. */
  async replace(transaction: Transaction, digest: string): Promise<string | null | undefined> {
    await transaction.query(`select pg_advisory_xact_lock(hashtextextended('upstreams-file', 0))`);
    const [row] = await transaction.query<{ digest: string }[]>('select digest from upstream_files');
    if (row?.digest === digest) return undefined;
    await transaction.query(
      `insert into upstream_files (digest) values ($1)
       on conflict (id) do update set digest = excluded.digest, loaded_at = clock_timestamp()`,
      [digest],
    );
    return row?.digest ?? null;
  }
}
