import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connectClient } from '../../../src/platform/database/database-client.js';
import { GatewayProcess } from '../../support/gateway-process.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';
import { OPENSSL, startTlsPostgres, type TlsPostgres } from '../../support/tls-postgres.js';

const suite = OPENSSL ? describe : describe.skip;
if (!OPENSSL) process.stderr.write('Skipped: the TLS tests need the program openssl. Install it.\n');

let server: TlsPostgres;
let upstream: ScriptedUpstream;

beforeAll(async () => {
  if (OPENSSL) [server, upstream] = await Promise.all([startTlsPostgres(), startUpstream()]);
});
afterAll(async () => {
  await GatewayProcess.endAll();
  await upstream?.stop();
  await server?.stop();
});

suite('a gateway in production with a client certificate for its database', () => {
  test.each([
    ['variables', () => variables()],
    ['DATABASE_URL', () => ({ DATABASE_URL: url() })],
  ])('encrypts all connections, and writes only lines of JSON: %s', async (_, settings) => {
    const gateway = await GatewayProcess.start({
      NODE_ENV: 'production',
      LOG_LEVEL: 'info',
      GW_UPSTREAM_BASE_URL: upstream.url,
      GW_DRAIN_DELAY_SECONDS: '0',
      ...settings(),
    });
    const key = await gateway.createKey();
    expect((await gateway.chat(key.key)).status).toBe(200);
    const client = await connectClient({ connectionString: url() });
    const { rows } = await client.query<{ encrypted: boolean; n: number }>(
      `select ssl as encrypted, count(*)::int as n from pg_stat_ssl join pg_stat_activity using (pid)
        where datname = 'gateway' and usename = 'cert_user' group by ssl`,
    );
    await client.end();
    expect(rows).toEqual([{ encrypted: true, n: expect.any(Number) }]);
    expect(rows[0]!.n).toBeGreaterThan(3);
    expect(await gateway.stop()).toEqual({ code: 0, signal: null });
    expect(gateway.stderr).toBe('');
    for (const line of gateway.stdout.trim().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow();
  });
});

const variables = (): Record<string, string> => ({
  PGHOST: 'localhost',
  PGPORT: String(server.port),
  PGDATABASE: 'gateway',
  PGUSER: 'cert_user',
  PGSSLMODE: 'verify-ca',
  PGSSLROOTCERT: server.file('ca.crt'),
  PGSSLCERT: server.file('client.crt'),
  PGSSLKEY: server.file('client.key'),
});

const url = (): string =>
  `postgres://cert_user@localhost:${server.port}/gateway?sslmode=require&sslrootcert=${server.file('ca.crt')}` +
  `&sslcert=${server.file('client.crt')}&sslkey=${server.file('client.key')}`;
