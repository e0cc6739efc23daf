import type { Transaction } from '../../database/transactions.js';

/** Makes recomputations wait for each other until the transaction ends, so that each sees what the others have left. */
export async function lockRecomputation(transaction: Transaction): Promise<void> {
  await transaction.query(`select pg_advisory_xact_lock(hashtextextended('recompute-costs', 0))`);
}

/** Replaces the figures in the audit row of a recomputation, in the transaction of the changes that they count. */
export async function updateRecomputationAudit(
  transaction: Transaction,
  runId: string,
  figures: object,
): Promise<void> {
  await transaction.query(
    `update audit_logs set metadata = metadata || $2::jsonb where target_id = $1 and action = 'costs.recomputed'`,
    [runId, JSON.stringify(figures)],
  );
}
