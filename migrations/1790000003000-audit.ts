import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ensureMonthPartitions } from '../src/platform/database/month-partitions.js';

/** The audit log, partitioned by month, so that dropping a table removes an expired month (D18). */
export class Audit1790000003000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_logs (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        created_at timestamp with time zone NOT NULL,
        action text NOT NULL,
        actor_type text NOT NULL CONSTRAINT audit_logs_actor_type CHECK (actor_type IN ('admin_key', 'operator', 'system')),
        target_type text NOT NULL,
        target_id text,
        metadata jsonb NOT NULL,
        PRIMARY KEY (created_at, id)
      ) PARTITION BY RANGE (created_at)`);
    await runner.query('CREATE INDEX audit_logs_target ON audit_logs (target_id, created_at)');
    await runner.query('CREATE INDEX audit_logs_action ON audit_logs (action, created_at)');
    await runner.query('CREATE INDEX audit_logs_actor_type ON audit_logs (actor_type, created_at)');
    await ensureMonthPartitions((sql) => runner.query(sql), 'audit_logs', 'now', 3);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_logs');
  }
}
