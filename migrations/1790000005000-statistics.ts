import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ensureMonthPartitions } from '../src/database/month-partitions.js';

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

/** What is known of requests after their end: usage by key, day and model; the sample; the refusals that it missed (D14, D15). */
export class Statistics1790000005000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // model '': the request named none. Half-full pages, so that sums change in place.
    await runner.query(`
      CREATE TABLE usage_daily (
        key_id uuid, day date, model text,
        requests bigint NOT NULL DEFAULT 0, errors bigint NOT NULL DEFAULT 0,
        input_tokens bigint NOT NULL DEFAULT 0, output_tokens bigint NOT NULL DEFAULT 0,
        estimated_tokens bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (key_id, day, model)
      ) WITH (fillfactor = 70)`);

    // id: the request id, whose time is created_at, so that a look-up by it goes to one partition.
    // No default partition: it would have to be searched whenever a month is attached.
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

    // Found by request id only and kept for a week: the primary key serves both.
    await runner.query(`CREATE TABLE request_refusals (${COLUMNS})`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE request_refusals');
    await runner.query('DROP TABLE request_logs');
    await runner.query('DROP TABLE usage_daily');
  }
}
