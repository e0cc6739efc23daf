import type { AuditEntry, AuditLog } from '../audit/audit-log.js';
import type { Transaction } from '../database/transactions.js';

/** Marks each row that `audit` writes from now on. Rows by `system` come from the clock too: these tell that somebody had a shell. */
export function markAsCli(audit: AuditLog): void {
  const write = audit.write.bind(audit);
  audit.write = (transaction: Transaction, entry: AuditEntry) =>
    write(transaction, { ...entry, metadata: { ...entry.metadata, via: 'cli' } });
}
