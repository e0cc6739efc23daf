import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { drainingConnectionsOf } from '../../../src/platform/database/data-source-options.js';
import { GatewayProcess } from '../../support/gateway-process.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { chatStream } from '../../support/scripted-upstream-responses.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';
import { until } from '../../support/until.js';

const POOL = 8;

let scratch: ScratchDatabase;
let upstream: ScriptedUpstream;
let client: Client;
let observer: Client;
let release: () => void;

beforeEach(async () => {
  [scratch, upstream] = await Promise.all([createScratchDatabase(), startUpstream()]);
  // Within a transaction, pg_stat_activity does not change.
  [client, observer] = [1, 2].map(() => new Client({ connectionString: scratch.url })) as [Client, Client];
  await Promise.all([client.connect(), observer.connect()]);
  const { promise: held, resolve } = Promise.withResolvers<void>();
  release = resolve;
  upstream.on('POST', '/v1/chat/completions', async (request, response) => {
    const [first, ...rest] = chatStream(String(request.json().model), true);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(first);
    if (request.json().user === 'held') await held;
    response.end(rest.join(''));
  });
});
afterEach(async () => {
  release();
  await GatewayProcess.endAll();
  await Promise.all([client.end(), observer.end()]);
  await upstream.stop();
  await scratch.drop();
});

async function connections(): Promise<number> {
  const { rows } = await observer.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name like 'gateway%'`,
  );
  return rows[0]!.n;
}

/** Makes each connection of the pool wait for a lock. */
async function fillPool(gateway: GatewayProcess): Promise<void> {
  const keys = [];
  for (let nth = 0; nth < POOL; nth++) keys.push(await gateway.createKey());
  await client.query('begin');
  await client.query('lock table audit_logs in access exclusive mode');
  const writes = keys.map(({ id }) => gateway.admin('PATCH', `/${id}`, { name: 'renamed' }));
  await until(async () => (await connections()) >= POOL);
  await client.query('commit');
  expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(keys.map(() => 200));
}

test('a draining process returns the connections of its pool while a stream is running, and still stores its usage', async () => {
  const gateway = await GatewayProcess.start({
    DATABASE_URL: scratch.url,
    GW_UPSTREAM_BASE_URL: upstream.url,
    GW_DATABASE_POOL: String(POOL),
    GW_SHUTDOWN_GRACE_SECONDS: '60',
  });
  const key = await gateway.createKey();
  const stream = fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'gpt-4o-mini',
      stream: true,
      user: 'held',
      messages: [{ role: 'user', content: 'Hello' }],
    }),
  }).then((response) => response.text());
  await until(() => upstream.requests.some(({ path }) => path === '/v1/chat/completions'));
  await fillPool(gateway);
  gateway.signal('SIGTERM');
  const most = drainingConnectionsOf({ databasePool: POOL, workers: 1 });
  // Without a signal, the pool keeps idle connections for 10 s.
  expect(await until(async () => (await connections()) <= most)).toBeLessThan(5000);
  release();
  expect(await stream).toContain('[DONE]');
  expect(await gateway.ended).toEqual({ code: 0, signal: null });
  const { rows } = await client.query('select requests::int as requests from usage_monthly where key_id = $1', [
    key.id,
  ]);
  expect(rows).toEqual([{ requests: 1 }]);
});
