import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transactions.js';

/** The digest of the `GW_UPSTREAMS` file that a process loaded last. It decides which process writes the audit row of a reload. */
@Injectable()
export class ReloadStore {
  /** Stores the digest, one process at a time. Returns false if it is stored already. */
  async replace(transaction: Transaction, digest: string): Promise<boolean> {
    await transaction.query(`select pg_advisory_xact_lock(hashtextextended('upstreams-file', 0))`);
    const [row] = await transaction.query<{ digest: string }[]>('select digest from upstream_files');
    if (row?.digest === digest) return false;
    await transaction.query(
      `insert into upstream_files (digest) values ($1)
       on conflict (id) do update set digest = excluded.digest, loaded_at = clock_timestamp()`,
      [digest],
    );
    return true;
  }
}
