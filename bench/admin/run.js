// Usage: `npm run bench:admin -- [--rows 10000000] [--rounds 20] [--writes 20] [--database NAME] [--keep]`
//
// Measures all lists and statistics of the Admin API over HTTP, on a year of data, while rows are written. The default of 20 rows
// per second corresponds to 2,000 requests per second at a sample rate of 1%. This is 60 times the traffic of ten million rows per
// year.
//
// Needs a PostgreSQL server with the right to create databases (TEST_DATABASE_URL or the standard local port). Ten million rows
// need 15 GB. `--keep` keeps the database. `--database` measures the database of an earlier run again, after migrations and rollups.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { fill, settle, timed, withClient, writeNow } from './fill.js';
import { startGateway } from './gateway.js';
import { viewsOf } from './views.js';

const SERVER = process.env.TEST_DATABASE_URL || 'postgres://postgres@127.0.0.1:5432/postgres';
const BATCHES_PER_SECOND = 2;
const HOUR_MS = 3_600_000;
/** As in src/stats/aggregates/rollup-job.service.ts. */
const ROLLUP_MARGIN_MS = 600_000;
const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000000' },
    rounds: { type: 'string', default: '20' },
    writes: { type: 'string', default: '20' },
    database: { type: 'string', default: '' },
    keep: { type: 'boolean', default: false },
  },
});
const rows = Number(options.rows);
const rowsPerBatch = Number(options.writes) / BATCHES_PER_SECOND;
const database = options.database || `gateway_bench_admin_${rows}`;
const url = Object.assign(new URL(SERVER), { pathname: `/${database}` }).href;
const log = (line) => console.error(line);

const ROLLUP_DUE = readFileSync(new URL('../../src/stats/aggregates/stores/rollup-due.sql', import.meta.url), 'utf8');

const ROLLED_UP = `
select not (select due from (${ROLLUP_DUE}) rollups)
       and not exists (select from (select distinct day from usage_daily) u
                        where day < (now() - interval '2 minutes')::date and day not in (select day from usage_days))
       and not exists (select from (select distinct day from cost_daily) c
                        where day < (now() - interval '2 minutes')::date and day not in (select day from cost_days))
       and exists (select from cost_months) as done`;

if (!options.database) await make();
const gateway = await startGateway(url);
const writing = new AbortController();
try {
  await timed(log, 'rollups of closed hours and days, by the gateway', untilRolledUp);
  await settle(url, log);
  const written = keepWriting(writing.signal);
  const results = await measure();
  writing.abort();
  report(results, await written);
} finally {
  writing.abort();
  await gateway.stop();
  if (!options.keep && !options.database) await onServer(`drop database "${database}" with (force)`);
}

async function make() {
  await onServer(`drop database if exists "${database}" with (force)`);
  await onServer(`create database "${database}"`);
  await (await startGateway(url)).stop();
  await fill(url, rows, log);
  await settle(url, log);
}

async function untilRolledUp() {
  await withClient(url, async (client) => {
    for (;;) {
      const { rows: found } = await client.query(ROLLED_UP, [
        new Date(Math.floor((Date.now() - ROLLUP_MARGIN_MS) / HOUR_MS) * HOUR_MS),
      ]);
      if (found[0].done) return;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  });
}

async function keepWriting(signal) {
  const took = [];
  await withClient(url, async (client) => {
    while (!signal.aborted) {
      const startedAt = performance.now();
      await writeNow(client, rowsPerBatch);
      took.push(performance.now() - startedAt);
      const rest = Math.max(0, 1000 / BATCHES_PER_SECOND - (performance.now() - startedAt));
      await new Promise((resolve) => setTimeout(resolve, rest));
    }
  });
  return took;
}

/** Each round measures all views, so that no view has the caches to itself. */
async function measure() {
  const views = viewsOf(await someRequestIds()).map((view) => ({ ...view, took: [], failures: [] }));
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const view of views)
      await gateway.time(view.pathOf(round)).then(
        (ms) => view.took.push(ms),
        (error) => view.failures.push(error.message),
      );
    log(`round ${round + 1} of ${options.rounds}`);
  }
  return views;
}

async function someRequestIds() {
  const { rows: found } = await withClient(url, (client) =>
    client.query(`select id from request_logs where created_at < now() - interval '1 hour' order by id desc limit 100`),
  );
  return found.map(({ id }) => id);
}

function report(views, written) {
  console.log(`| view | p50 | p95 | max | limit | met |\n| --- | ---: | ---: | ---: | ---: | --- |`);
  for (const { name, took, failures, promiseMs } of views) {
    const [p50, p95, most] = [50, 95, 100].map((percent) => Math.round(nearestRank(took, percent)));
    const met = failures.length === 0 && p95 <= promiseMs ? 'yes' : '**no**';
    const why = failures.length > 0 ? `, ${failures.length} failed` : '';
    console.log(`| ${name} | ${p50} | ${p95} | ${most} | ${promiseMs} | ${met}${why} |`);
    for (const failure of new Set(failures)) log(`${failures.length} failed: ${failure}`);
  }
  const batch = [50, 95, 100].map((percent) => Math.round(nearestRank(written, percent))).join(', ');
  console.log(`\nConcurrent writes of ${rowsPerBatch} rows (p50, p95, max): ${batch} ms.`);
}

function nearestRank(list, percent) {
  return [...list].sort((a, b) => a - b)[Math.ceil((percent * list.length) / 100) - 1] ?? Number.NaN;
}

async function onServer(sql) {
  const client = new pg.Client({ connectionString: SERVER });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
