import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = [
  { name: 'key', columns: 'key_id, created_at' },
  { name: 'model', columns: 'model, created_at', where: 'model is not null' },
  { name: 'endpoint', columns: 'endpoint, created_at' },
  { name: 'status', columns: 'status, created_at' },
  { name: 'error', columns: 'error_code, created_at', where: 'error_code is not null' },
  { name: 'upstream', columns: 'upstream, created_at', where: 'upstream is not null' },
  { name: 'latency', columns: 'latency_ms, created_at' },
  { name: 'cost', columns: 'cost_nanos, created_at', where: 'cost_nanos is not null' },
] as const;

/** Indexes of the request list on requests outside the sample, which only their IDs found before. */
export class FailureIndexes1790000026010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const index of INDEXES) {
      const where = 'where' in index ? ` where ${index.where}` : '';
      await runner.query(`create index request_refusals_${index.name} on request_refusals (${index.columns})${where}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of INDEXES) await runner.query(`drop index request_refusals_${name}`);
  }
}
