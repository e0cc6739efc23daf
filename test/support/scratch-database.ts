import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { MIGRATIONS } from '../../migrations/all.js';

export interface ScratchDatabase {
  readonly url: string;
  /** Drops the database even if connections are open. */
  drop(): Promise<void>;
}

/**
 * Creates a separate database with all migrations applied and today's daily job marked as done. It is a copy of a template
 * that the first caller of a test run creates.
 */
export async function createScratchDatabase(): Promise<ScratchDatabase> {
  const template = nameOf('template');
  await onServer((server) => ensureTemplate(server, template));
  return create(template);
}

export function createEmptyDatabase(): Promise<ScratchDatabase> {
  return create('template0');
}

async function create(template: string): Promise<ScratchDatabase> {
  const name = nameOf(randomBytes(6).toString('hex'));
  // Copying files takes half as long as copying pages if nothing has to be flushed to disk.
  await onServer((server) => server.query(`create database "${name}" template "${template}" strategy file_copy`));
  return {
    url: urlOf(name),
    drop: () => onServer(async (server) => void (await server.query(`drop database if exists "${name}" with (force)`))),
  };
}

async function ensureTemplate(server: Client, template: string): Promise<void> {
  // Specs run in several processes. One creates the template, the others wait.
  await server.query(`select pg_advisory_lock(hashtextextended($1, 0))`, [template]);
  const { rowCount } = await server.query('select 1 from pg_database where datname = $1', [template]);
  if (rowCount !== 0) return;
  const unfinished = `${template}_unfinished`;
  await server.query(`drop database if exists "${unfinished}" with (force)`);
  await server.query(`create database "${unfinished}" template template0`);
  const source = new DataSource({ type: 'postgres', url: urlOf(unfinished), migrations: MIGRATIONS, poolSize: 1 });
  await source.initialize();
  await source.runMigrations();
  // Marks the daily job as done, because its first run would disturb specs that count rows.
  await source.query(`insert into job_runs (run_id, job, started_at, finished_at, outcome, completed)
                      values (gen_random_uuid(), 'daily', now(), now(), 'succeeded', true)`);
  await source.destroy();
  await server.query(`alter database "${unfinished}" rename to "${template}"`);
}

function nameOf(what: string): string {
  return `gw_test_${fromSetup('GW_TEST_RUN')}_${what}`;
}

function urlOf(database: string): string {
  const url = new URL(fromSetup('GW_TEST_DATABASE_URL'));
  url.pathname = `/${database}`;
  return url.href;
}

function fromSetup(name: string): string {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(`${name} is not set: specs with a database run under test/support/global-setup.ts`);
  return value;
}

async function onServer<T>(work: (server: Client) => Promise<T>): Promise<T> {
  const server = new Client({ connectionString: fromSetup('GW_TEST_DATABASE_URL') });
  await server.connect();
  try {
    return await work(server);
  } finally {
    await server.end();
  }
}
