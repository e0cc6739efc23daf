import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { MIGRATIONS } from '../../migrations/all.js';

export interface ScratchDatabase {
  readonly url: string;
  /** Also with connections still open. */
  drop(): Promise<void>;
}

/**
 * A database of one's own with every migration applied, and today's daily job done: a copy of a template that the first
 * caller of a run makes.
 */
export async function createScratchDatabase(): Promise<ScratchDatabase> {
  const template = nameOf('template');
  await onServer((server) => ensureTemplate(server, template));
  return create(template);
}

/** A database of one's own without a table. */
export function createEmptyDatabase(): Promise<ScratchDatabase> {
  return create('template0');
}

async function create(template: string): Promise<ScratchDatabase> {
  const name = nameOf(randomBytes(6).toString('hex'));
  // By files, since by pages takes twice as long where nothing has to reach a disk.
  await onServer((server) => server.query(`create database "${name}" template "${template}" strategy file_copy`));
  return {
    url: urlOf(name),
    drop: () => onServer(async (server) => void (await server.query(`drop database if exists "${name}" with (force)`))),
  };
}

async function ensureTemplate(server: Client, template: string): Promise<void> {
  // Specs run in several processes: one makes it, the others wait.
  await server.query(`select pg_advisory_lock(hashtextextended($1, 0))`, [template]);
  const { rowCount } = await server.query('select 1 from pg_database where datname = $1', [template]);
  if (rowCount !== 0) return;
  const unfinished = `${template}_unfinished`;
  await server.query(`drop database if exists "${unfinished}" with (force)`);
  await server.query(`create database "${unfinished}" template template0`);
  const source = new DataSource({ type: 'postgres', url: urlOf(unfinished), migrations: MIGRATIONS, poolSize: 1 });
  await source.initialize();
  await source.runMigrations();
  // The daily job has run today: what it does at a first start is in the way of specs that count rows.
  await source.query(`insert into job_runs (run_id, job, started_at, finished_at, outcome, completed)
                      values (gen_random_uuid(), 'daily', now(), now(), 'succeeded', true)`);
  await source.destroy();
  // By its name it is known to be whole.
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
