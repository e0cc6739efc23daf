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
  readyTemplate ??= onServer((server) => ensureTemplate(server, template));
  await readyTemplate;
  return create(template);
}

let readyTemplate: Promise<void> | undefined;

/** @param options of `create database`, such as an encoding */
export function createEmptyDatabase(options = ''): Promise<ScratchDatabase> {
  return create('template0', options);
}

async function create(template: string, options = ''): Promise<ScratchDatabase> {
  const name = nameOf(randomBytes(6).toString('hex'));
  // Copying files takes half as long as copying pages if nothing has to be flushed to disk.
  await onServer((server) =>
    server.query(`create database "${name}" template "${template}" strategy file_copy ${options}`),
  );
  return {
    url: urlOf(name),
    drop: () => onServer(async (server) => void (await server.query(`drop database if exists "${name}" with (force)`))),
  };
}

async function ensureTemplate(server: Client, template: string): Promise<void> {
  // Specs run in several processes. One creates the template, the others wait.
  await server.query(`select pg_advisory_lock(hashtextextended($1, 0))`, [template]);
  try {
    const { rowCount } = await server.query('select 1 from pg_database where datname = $1', [template]);
    if (rowCount === 0) await createTemplate(server, template);
  } finally {
    await server.query(`select pg_advisory_unlock(hashtextextended($1, 0))`, [template]);
  }
}

async function createTemplate(server: Client, template: string): Promise<void> {
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

/** Runs one piece of work at a time on a connection that all spec files of the process share. A connection costs 4 ms of CPU time. */
function onServer<T>(work: (server: Client) => Promise<T>): Promise<T> {
  const result = queue.then(async () => {
    const server = await (connection ??= connect());
    server.ref();
    // An idle connection must not keep the process alive.
    return work(server).finally(() => server.unref());
  });
  queue = result.catch(() => undefined);
  return result;
}

let queue: Promise<unknown> = Promise.resolve();
let connection: Promise<ServerClient> | undefined;

/** These methods are missing from pg's types. */
type ServerClient = Client & { ref(): void; unref(): void };

async function connect(): Promise<ServerClient> {
  const server = new Client({ connectionString: fromSetup('GW_TEST_DATABASE_URL') }) as ServerClient;
  const forget = () => (connection = undefined);
  server.on('error', forget);
  // The next caller connects again.
  await server.connect().catch((error: unknown) => {
    forget();
    throw error;
  });
  return server;
}
