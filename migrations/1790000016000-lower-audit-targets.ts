import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Converts IDs in the audit log to lower case, which the filter expects (D18). The previous release stored them as typed in the path.
 * The action restricts this to the few affected rows, which an index finds. The many rows of keys were always in lower case.
 */
export class LowerAuditTargets1790000016000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE audit_logs SET target_id = lower(target_id)
       WHERE action IN ('operator.updated', 'operator.deleted', 'operator.password_changed', 'admin.session_revoked',
                        'webhook.updated', 'webhook.deleted', 'webhook.tested')
         AND target_id <> lower(target_id)`);
  }

  /** Nothing to undo: the previous release reads lower case too. */
  async down(): Promise<void> {}
}
