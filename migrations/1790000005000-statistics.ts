import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ensureMonthPartitions } from '../src/platform/database/month-partitions.js';

const COLUMNS = `
  id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  key_id uuid NOT NULL,
  status smallint NOT NULL,
  stream boolean NOT NULL,
  latency_ms integer NOT NULL,
  upstream_latency_ms integer,
  input_tokens integer NOT NULL,
  output_tokens integer NOT NULL,
  method text NOT NULL,
  endpoint text NOT NULL,
  model text,
  error_code text,
  PRIMARY KEY (created_at, id)`;

export class Statistics1790000005000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // model '': the request named no model. Half of each page stays free, so that updates stay on the page.
    await runner.query(`
      CREATE TABLE usage_daily (
        key_id uuid, day date, model text,
        requests bigint NOT NULL DEFAULT 0, errors bigint NOT NULL DEFAULT 0,
        input_tokens bigint NOT NULL DEFAULT 0, output_tokens bigint NOT NULL DEFAULT 0,
        estimated_tokens bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (key_id, day, model)
      ) WITH (fillfactor = 70)`);

    // The request ID contains created_at, so a lookup by ID reads only one partition. There is no default partition, because attaching
    // a month would scan it.
    await runner.query(`CREATE TABLE request_logs (${COLUMNS}) PARTITION BY RANGE (created_at)`);
    await runner.query(`
      CREATE INDEX request_logs_key ON request_logs (key_id, created_at)
        INCLUDE (model, endpoint, status, latency_ms, input_tokens, output_tokens)`);
    await runner.query(`
      CREATE INDEX request_logs_model ON request_logs (model, created_at)
        INCLUDE (key_id, endpoint, status, latency_ms, input_tokens, output_tokens) WHERE model IS NOT NULL`);
    await runner.query('CREATE INDEX request_logs_endpoint ON request_logs (endpoint, created_at)');
    await runner.query('CREATE INDEX request_logs_status ON request_logs (status, created_at) WHERE status <> 200');
    await ensureMonthPartitions((sql) => runner.query(sql), 'request_logs', 'now', 2);

    // Rows are found only by request ID and kept for a week. The primary key serves both.
    await runner.query(`CREATE TABLE request_refusals (${COLUMNS})`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE request_refusals');
    await runner.query('DROP TABLE request_logs');
    await runner.query('DROP TABLE usage_daily');
  }
}
