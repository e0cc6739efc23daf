import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connectClient } from '../../../../src/platform/database/database-client.js';
import { databaseProblem } from '../../../../src/platform/database/database-problem.rules.js';
import { KEY_PASSWORD, OPENSSL, startTlsPostgres, type TlsPostgres } from '../../../support/tls-postgres.js';

let server: TlsPostgres;
const suite = OPENSSL ? describe : describe.skip;
if (!OPENSSL) process.stderr.write('Skipped: the TLS tests need the program openssl. Install it.\n');

beforeAll(async () => {
  if (OPENSSL) server = await startTlsPostgres();
});
afterAll(() => server?.stop());

interface Target {
  readonly user?: string;
  readonly host?: string;
}

/** `FILE` in the parameters stands for the folder with the certificates. */
const urlOf = (parameters: string, { user = 'tls_only', host = 'localhost' }: Target = {}): string =>
  `postgres://${user}@${host}:${server.port}/gateway?${parameters.replace(/FILE\/([\w.-]+)/g, (_, name: string) => server.file(name))}`;

/** Returns whether the connection is encrypted, or the advice of the error. */
async function result(url: string): Promise<string> {
  try {
    const client = await connectClient({ connectionString: url, connectionTimeoutMillis: 5000 });
    const { rows } = await client.query<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
    await client.end();
    return rows[0]!.ssl ? 'encrypted' : 'plain';
  } catch (error) {
    const { message, advice } = databaseProblem(error, url);
    return `${message}. ${advice}`;
  }
}

const plainServer = (parameters: string): string => `${process.env.GW_TEST_DATABASE_URL}?${parameters}`;

suite('sslmode has the meaning that it has in libpq', () => {
  test.each([
    ['', /sslmode=require/],
    ['sslmode=disable', /sslmode=require/],
    ['sslmode=allow', /^encrypted$/],
    ['sslmode=prefer', /^encrypted$/],
    ['sslmode=require', /^encrypted$/],
    ['sslmode=no-verify', /^encrypted$/],
    ['sslmode=require&sslrootcert=FILE/ca.crt', /^encrypted$/],
    ['sslmode=require&sslrootcert=FILE/other-ca.crt', /sslrootcert/],
    ['sslmode=verify-ca&sslrootcert=FILE/ca.crt', /^encrypted$/],
    ['sslmode=verify-ca&sslrootcert=FILE/other-ca.crt', /is not signed by a trusted authority.*Set sslrootcert/],
    ['sslmode=verify-full&sslrootcert=FILE/ca.crt', /^encrypted$/],
    ['sslmode=verify-full&sslrootcert=FILE/other-ca.crt', /Set sslrootcert/],
    ['sslmode=verify-full', /Set sslrootcert/],
    ['sslmode=verify-full&sslrootcert=system', /Set sslrootcert/],
    ['sslrootcert=FILE/ca.crt', /^encrypted$/],
    ['sslrootcert=FILE/other-ca.crt', /Set sslrootcert/],
    ['ssl=true', /Set sslrootcert/],
    ['ssl=true&uselibpqcompat=true&sslmode=require', /^encrypted$/],
  ])(
    'the URL parameters "%s" connect or fail as in libpq on a server that requires TLS',
    async (parameters, expected) => {
      expect(await result(urlOf(parameters))).toMatch(expected);
    },
  );

  test.each([
    ['sslmode=verify-ca&sslrootcert=FILE/ca.crt', /^encrypted$/],
    ['sslmode=require&sslrootcert=FILE/ca.crt', /^encrypted$/],
    ['sslmode=verify-full&sslrootcert=FILE/ca.crt', /is for another name.*sslmode=verify-ca/],
  ])(
    'the URL parameters "%s" connect or fail as in libpq if the certificate has another name',
    async (parameters, expected) => {
      expect(await result(urlOf(parameters, { host: '127.0.0.1' }))).toMatch(expected);
    },
  );

  test.each([
    ['sslmode=allow', /^plain$/],
    ['sslmode=prefer', /^plain$/],
    ['sslmode=disable', /^plain$/],
    ['sslmode=require', /sslmode=disable/],
  ])(
    'the URL parameters "%s" connect or fail as in libpq for a user who is not allowed to use TLS',
    async (parameters, expected) => {
      expect(await result(urlOf(parameters, { user: 'plain_only' }))).toMatch(expected);
    },
  );

  test.each([
    ['', /^plain$/],
    ['sslmode=allow', /^plain$/],
    ['sslmode=prefer', /^plain$/],
    ['sslmode=require', /does not accept encrypted connections/],
    ['sslmode=verify-full', /does not accept encrypted connections/],
  ])('the URL parameters "%s" connect or fail as in libpq on a server without TLS', async (parameters, expected) => {
    expect(await result(plainServer(parameters))).toMatch(expected);
  });

  test('with sslmode=prefer, connections stay encrypted after a failure that is unrelated to encryption', async () => {
    const url = urlOf('sslmode=prefer&application_name=outage');
    await expect(connectClient({ connectionString: url.replace('/gateway', '/missing') })).rejects.toThrow('missing');
    expect(await result(url)).toBe('encrypted');
  });
});

suite('client certificates', () => {
  const identity = 'sslmode=verify-full&sslrootcert=FILE/ca.crt&sslcert=FILE/client.crt';

  test.each([
    [`${identity}&sslkey=FILE/client.key`, /^encrypted$/],
    [`${identity}&sslkey=FILE/encrypted.key&sslpassword=${KEY_PASSWORD}`, /^encrypted$/],
    ['sslmode=require&sslcert=FILE/client.crt&sslkey=FILE/client.key', /^encrypted$/],
    ['sslmode=require', /Set sslcert and sslkey/],
    [`${identity}&sslkey=FILE/missing.key`, /sslrootcert, sslcert or sslkey cannot be used: ENOENT/],
  ])(
    'the URL parameters "%s" authenticate the user or cause an error with the remedy',
    async (parameters, expected) => {
      expect(await result(urlOf(parameters, { user: 'cert_user' }))).toMatch(expected);
    },
  );
});
