import type { MigrationInterface, QueryRunner } from 'typeorm';

export class JobRuns1790000012000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // `due_at` is the scheduled time. It is null for requested and overdue runs. `completed` means that the run reached its end, even
    // with failures. It is false for a run that is running, was aborted, or lost its process.
    await runner.query(`
      CREATE TABLE job_runs (
        run_id uuid PRIMARY KEY,
        job text NOT NULL CONSTRAINT job_runs_job CHECK (char_length(job) BETWEEN 1 AND 50),
        due_at timestamp(3) with time zone,
        started_at timestamp(3) with time zone NOT NULL,
        finished_at timestamp(3) with time zone,
        outcome text NOT NULL CONSTRAINT job_runs_outcome CHECK (outcome IN ('running', 'succeeded', 'failed')),
        completed boolean NOT NULL DEFAULT false,
        counts jsonb NOT NULL DEFAULT '{}',
        error text CONSTRAINT job_runs_error CHECK (char_length(error) <= 1000)
      )`);
    await runner.query('CREATE INDEX job_runs_newest ON job_runs (started_at DESC, run_id DESC)');
    await runner.query('CREATE INDEX job_runs_of_job ON job_runs (job, started_at)');
    await runner.query('CREATE UNIQUE INDEX job_runs_due ON job_runs (job, due_at)');

    await runner.query('CREATE INDEX usage_monthly_by_age ON usage_monthly (month)');
    await runner.query('CREATE INDEX stats_rollup_by_age ON stats_rollup (start)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX stats_rollup_by_age');
    await runner.query('DROP INDEX usage_monthly_by_age');
    await runner.query('DROP TABLE job_runs');
  }
}
