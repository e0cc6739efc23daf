import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns that the request list filters or sorts by, with the condition of a partial index. */
const INDEXES = [
  { name: 'error', columns: 'error_code, created_at', where: 'error_code is not null' },
  { name: 'upstream', columns: 'upstream, created_at', where: 'upstream is not null' },
  { name: 'latency', columns: 'latency_ms, created_at' },
  { name: 'cost', columns: 'cost_nanos, created_at', where: 'cost_nanos is not null' },
] as const;

/**
 * Indexes of the request list on the sample. While the migration runs, new samples wait in memory.
 */
export class RequestExplorer1790000026000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const index of INDEXES) {
      const where = 'where' in index ? ` where ${index.where}` : '';
      await runner.query(`create index request_logs_${index.name} on request_logs (${index.columns})${where}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of INDEXES) await runner.query(`drop index request_logs_${name}`);
  }
}
