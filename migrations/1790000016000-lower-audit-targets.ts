import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Ids in the audit log are in lower case, as the filter asks for them (D18). The release before wrote them as they were typed
 * into a path. By action, so that the index finds the rows, which are few: those of keys, which are many, were always right.
 */
export class LowerAuditTargets1790000016000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE audit_logs SET target_id = lower(target_id)
       WHERE action IN ('operator.updated', 'operator.deleted', 'operator.password_changed', 'admin.session_revoked',
                        'webhook.updated', 'webhook.deleted', 'webhook.tested')
         AND target_id <> lower(target_id)`);
  }

  /** Nothing to undo: the release before reads lower case too. */
  async down(): Promise<void> {}
}
