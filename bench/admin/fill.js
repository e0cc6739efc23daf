// Fills a database with a year of data from a busy gateway: sample, usage, keys, and audit rows. The distribution is skewed like
// real traffic.
import { createHash } from 'node:crypto';
import pg from 'pg';
import { COUNTED_KINDS } from '../../dist/src/costs/usage-kinds.data.js';
import { ensureMonthPartitions } from '../../dist/src/platform/database/month-partitions.js';

const ACTIVE_KEYS = 2000;
const MODELS = 60;
const ENDPOINTS = 40;
const DAYS = 365;
const DAY_MS = 86_400_000;
const REQUESTS_PER_ROW = 100;
const WRITERS = 2;

/** Equals `md5(…)::uuid` in SQL. Rank 0 is the busiest key. */
export const keyIdOf = (rank) =>
  createHash('md5')
    .update(`bench key ${rank}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

export async function fill(url, rows, log) {
  const counts = { rows, apiKeys: Math.max(ACTIVE_KEYS, Math.round(rows / 100)), audits: Math.round(rows / 10) };
  const now = Date.now();
  const startMs = now - DAYS * DAY_MS;
  await withClient(url, async (client) => {
    for (const table of ['request_logs', 'audit_logs'])
      await ensureMonthPartitions((sql) => client.query(sql), table, new Date(startMs), 15);
  });
  await timed(log, `${counts.apiKeys} keys`, () => fillKeys(url, counts.apiKeys, startMs));
  await timed(log, `${rows} rows of the sample`, () => fillSample(url, rows, startMs));
  await timed(log, 'usage and costs', () => withClient(url, fillUsage));
  await timed(log, `${counts.audits} audit rows`, () =>
    withClient(url, (client) => client.query(AUDITS, [counts.audits, counts.apiKeys, new Date(startMs)])),
  );
}

export async function writeNow(client, count) {
  const now = Date.now();
  await client.query(SAMPLE, [new Date(now - 500), new Date(now), count]);
}

export async function settle(url, log) {
  await timed(log, 'vacuum analyze', () => withClient(url, (client) => client.query('vacuum analyze')));
}

export async function timed(log, what, work) {
  const startMs = performance.now();
  const result = await work();
  log(`${what}: ${((performance.now() - startMs) / 1000).toFixed(1)} s`);
  return result;
}

async function fillKeys(url, count, startMs) {
  await withClient(url, async (client) => {
    for (let first = 0; first < count; first += 10_000)
      await client.query(KEYS, [first, Math.min(count, first + 10_000) - 1, new Date(startMs)]);
  });
}

/** Fills day by day, so that rows are stored in the order of their time, as in production. */
async function fillSample(url, rows, startMs) {
  let day = 0;
  const filler = (client) => async () => {
    for (let mine = day++; mine < DAYS; mine = day++) {
      const count = Math.floor(((mine + 1) * rows) / DAYS) - Math.floor((mine * rows) / DAYS);
      await client.query(SAMPLE, [new Date(startMs + mine * DAY_MS), new Date(startMs + (mine + 1) * DAY_MS), count]);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, () => withClient(url, (client) => filler(client)())));
}

async function fillUsage(client) {
  await client.query(`set work_mem = '256MB'`);
  await client.query(USAGE_DAILY, [REQUESTS_PER_ROW]);
  await client.query(USAGE_MONTHLY);
  await client.query(COST_DAILY, [REQUESTS_PER_ROW]);
}

export async function withClient(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`set synchronous_commit = off; set jit = off; set time zone 'UTC'`);
    return await work(client);
  } finally {
    await client.end();
  }
}

const KEYS = `
insert into api_keys (id, name, key_hash, key_hint, status, created_at, updated_at, last_used_at, expires_at)
select md5('bench key ' || n)::uuid, 'bench key ' || n, decode(md5('hash ' || n), 'hex'), 'sk-gw-…' || lpad(n::text, 4, '0'),
       case when n % 50 = 7 then 'revoked' when n % 40 = 3 then 'suspended' else 'active' end,
       $3::timestamptz + random() * interval '365 days', $3::timestamptz + random() * interval '365 days',
       case when n < ${ACTIVE_KEYS} then now() - random() * interval '30 days' end,
       case when n % 10 = 0 then now() + (random() - 0.3) * interval '365 days' end
  from generate_series($1::int, $2::int) n`;

// The first 48 bits of the ID are the time, as in a UUID v7.
const SAMPLE = `
insert into request_logs (id, created_at, key_id, status, stream, latency_ms, upstream_latency_ms, input_tokens, output_tokens,
                          method, endpoint, model, error_code, usage_source, cost_nanos, cost)
select (left(time, 8) || '-' || right(time, 4) || '-7' || substr(random_id, 16))::uuid, at,
       md5('bench key ' || k)::uuid, status, s > 0.5, latency_ms, (latency_ms * 0.95)::int,
       case when status = 200 then (x * 4000)::int else 0 end, case when status = 200 then (x * x * 2000)::int else 0 end,
       'POST', '/v1/bench/endpoint-' || e, case when e % 10 <> 9 then 'bench-model-' || m end,
       case when status <> 200 then 'rate_limit_exceeded' end, 'reported',
       case when status = 200 and m % 20 <> 7 then (x * 4000 * 150 + x * x * 2000 * 600)::bigint end,
       case when status = 200 then jsonb_build_object(
         'provider', 'default', 'price', 'list 0.1.8 openai/bench-model', 'unpriced', case when m % 20 = 7 then '["input"]'::jsonb else '[]' end,
         'lines', jsonb_build_array(jsonb_build_object('kind', 'input', 'units', (x * 4000)::int, 'price', 150000000, 'per', 1000000),
                                    jsonb_build_object('kind', 'output', 'units', (x * x * 2000)::int, 'price', 600000000, 'per', 1000000))) end
  from (select at, lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') as time, gen_random_uuid()::text as random_id,
               floor(${ACTIVE_KEYS} * power(random(), 3))::int as k, floor(${MODELS} * power(random(), 2.5))::int as m,
               floor(${ENDPOINTS} * power(random(), 3))::int as e, random() as s, random() as x,
               case when r < 0.93 then 200 when r < 0.97 then 429 when r < 0.985 then 400 else 502 end as status,
               floor(exp(5.5 + (random() + random() + random() - 1.5) * 2.4))::int as latency_ms
          from generate_series(0, $3::int - 1) i
               cross join lateral (select date_trunc('milliseconds',
                 $1::timestamptz + ($2::timestamptz - $1::timestamptz) * ((i + random()) / $3::int)) as at, random() as r) moment
       ) request`;

const USAGE_DAILY = `
insert into usage_daily (key_id, day, model, requests, errors, input_tokens, output_tokens, estimated_tokens)
select key_id, (created_at at time zone 'UTC')::date, coalesce(model, ''), count(*) * $1::int, count(*) filter (where status >= 400) * $1::int,
       sum(input_tokens) * $1::int, sum(output_tokens) * $1::int, 0
  from request_logs group by 1, 2, 3 order by 1, 2, 3`;

const USAGE_MONTHLY = `
insert into usage_monthly (key_id, month, requests, input_tokens, output_tokens)
select key_id, (extract(year from day) * 12 + extract(month from day) - 1)::int, sum(requests), sum(input_tokens), sum(output_tokens)
  from usage_daily group by 1, 2 order by 1, 2`;

const COSTS = ['cost_nanos', 'input', 'output'];

/** Leaves out rejected requests, which cost nothing. */
const COST_DAILY = `
insert into cost_daily (day, key_id, model, endpoint, provider, requests, unpriced_requests, estimated_requests, ${COSTS.join(', ')},
                        ${COUNTED_KINDS.filter((kind) => !COSTS.includes(kind)).join(', ')})
select (created_at at time zone 'UTC')::date, key_id, coalesce(model, ''), endpoint, 'default', count(*) * $1::int,
       (count(*) - count(cost_nanos)) * $1::int, 0, coalesce(sum(cost_nanos), 0) * $1::int, sum(input_tokens) * $1::int,
       sum(output_tokens) * $1::int, ${COUNTED_KINDS.filter((kind) => !COSTS.includes(kind))
         .map(() => '0')
         .join(', ')}
  from request_logs where status = 200 group by 1, 2, 3, 4 order by 1, 2, 3, 4`;

const AUDITS = `
insert into audit_logs (created_at, action, actor_type, target_type, target_id, metadata)
select $3::timestamptz + n * (interval '365 days' / $1::int),
       (array['api_key.updated', 'api_key.created', 'admin.login', 'api_key.suspended', 'api_key.rotated'])[1 + floor(5 * power(random(), 3))::int],
       case when random() < 0.8 then 'operator' else 'admin_key' end, 'api_key',
       md5('bench key ' || floor($2::int * power(random(), 3))::int)::uuid::text,
       jsonb_build_object('actor_id', md5('bench operator ' || n % 50)::uuid, 'request_id', gen_random_uuid(), 'ip', '203.0.113.7')
  from generate_series(1, $1::int) n`;
