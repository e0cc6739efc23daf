import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Config } from '../../../src/platform/config/config.js';

const folder = mkdtempSync(join(tmpdir(), 'gateway-url-'));
const garbage = join(folder, 'garbage.pem');
const passFile = join(folder, 'pgpass');
writeFileSync(garbage, 'no certificate');
writeFileSync(passFile, '# comment\nother:*:*:*:wrong\ndb:5432:gate\\:way:*:p\\:a\\\\ss\n*:*:*:*:last\n');
afterAll(() => rmSync(folder, { recursive: true }));

const urlOf = (env: Record<string, string>) => Config.from(env).databaseUrl;
const problemOf = (url: string): string => {
  try {
    Config.from({ DATABASE_URL: url });
    return '';
  } catch (error) {
    return String(error);
  }
};

describe('a DATABASE_URL with reserved characters in the password', () => {
  test.each([
    'p@hunter2',
    'p/hunter2',
    'p?hunter2',
    'p#hunter2',
    '12/hunter2',
    '12?hunter2',
    '12#hunter2',
    '5432/h@u?n#ter2',
  ])('%s is rejected as ambiguous, with the characters to encode and without any part of the password', (password) => {
    for (const suffix of ['', '?sslmode=require']) {
      const problem = problemOf(`postgres://gateway:${password}@db.internal/gateway${suffix}`);
      expect(problem).toContain('DATABASE_URL is ambiguous (value not shown)');
      expect(problem).toContain('@ as %40, / as %2F, : as %3A, ? as %3F, # as %23 and % as %25');
      expect(problem).not.toMatch(/hunter|ter2|db\.internal/);
    }
  });

  test.each(['p%40hunter2', 'p%2Fhunter2', 'p%3Fhunter2', 'p%23hunter2', 'p:hunter2', 'p%3Ahunter2', 'p%25hunter2'])(
    '%s is accepted unchanged',
    (password) => {
      const url = `postgres://gateway:${password}@db.internal/gateway`;
      expect(urlOf({ DATABASE_URL: url })).toBe(url);
    },
  );
});

describe('TLS parameters of DATABASE_URL', () => {
  test.each([
    ['sslmode=verify_full', /unknown sslmode \(PGSSLMODE\)\. Use disable, allow, prefer/],
    ['sslmode=verify-ca', /verify-ca without sslrootcert/],
    ['sslmode=require&sslrootcert=system', /requires sslmode=verify-full/],
    [`sslmode=verify-full&sslrootcert=${garbage}`, /sslrootcert \(PGSSLROOTCERT\) that contains no certificate/],
    ['sslmode=verify-full&sslrootcert=/no/such', /sslrootcert \(PGSSLROOTCERT\) that cannot be read/],
    [`sslmode=require&sslcert=${garbage}`, /only one of sslcert \(PGSSLCERT\) and sslkey/],
    [`sslmode=require&sslcert=${garbage}&sslkey=${garbage}`, /not a certificate and its private key/],
  ])('%s is rejected with the remedy', (parameters, expected) => {
    const problem = problemOf(`postgres://gateway:hunter2@db/gateway?${parameters}`);
    expect(problem).toMatch(expected);
    expect(problem).not.toContain('hunter2');
  });

  test.each(['disable', 'allow', 'prefer', 'require', 'verify-full', 'no-verify', 'verify-full&sslrootcert=system'])(
    'sslmode=%s is accepted',
    (mode) => {
      const url = `postgres://gateway@db/gateway?sslmode=${mode}`;
      expect(urlOf({ DATABASE_URL: url })).toBe(url);
    },
  );
});

describe('PG variables in place of DATABASE_URL', () => {
  const PARTS = { PGHOST: 'db', PGDATABASE: 'gateway' };

  test.each<[Record<string, string>, string]>([
    [{}, 'postgres://db:5432/gateway'],
    [{ PGUSER: 'me@azure', PGPASSWORD: '@/:?#%' }, 'postgres://me%40azure:%40%2F%3A%3F%23%25@db:5432/gateway'],
    [{ PGHOST: '::1', PGPORT: '6432' }, 'postgres://[::1]:6432/gateway'],
    [{ PGHOST: '/var/run/postgresql' }, 'postgres://%2Fvar%2Frun%2Fpostgresql:5432/gateway'],
    [{ PGSSLMODE: 'verify-full' }, 'postgres://db:5432/gateway?sslmode=verify-full'],
    [
      { PGSSLMODE: 'verify-full', PGSSLROOTCERT: 'system' },
      'postgres://db:5432/gateway?sslmode=verify-full&sslrootcert=system',
    ],
    [{ PGUSER: 'me', PGDATABASE: 'gate:way', PGPASSFILE: passFile }, 'postgres://me:p%3Aa%5Css@db:5432/gate%3Away'],
    [{ PGUSER: 'me', PGPASSFILE: passFile }, 'postgres://me:last@db:5432/gateway'],
  ])('%j make the URL %s', (env, url) => {
    expect(urlOf({ ...PARTS, ...env })).toBe(url);
  });

  test('DATABASE_URL wins over the PG variables, and takes only their TLS settings', () => {
    const env = { ...PARTS, PGSSLMODE: 'require' };
    expect(urlOf({ ...env, DATABASE_URL: 'postgres://me@other/x' })).toBe('postgres://me@other/x?sslmode=require');
    const own = 'postgres://me@other/x?sslmode=disable';
    expect(urlOf({ ...env, DATABASE_URL: own })).toBe(own);
  });

  test('PGHOST alone does not replace the embedded database', () => {
    expect(urlOf({ PGHOST: 'db' })).toBeNull();
  });

  test.each([
    [{ PGHOST: 'a,b' }, /PGHOST cannot be "a,b"\. Use one host name/],
    [{ PGSSLMODE: 'verify' }, /PGSSLMODE cannot be "verify"/],
    [{ PGSSLROOTCERT: '/no/such' }, /PGSSLROOTCERT cannot be "\/no\/such"/],
    [{ PGSSLMODE: 'verify-ca' }, /The database connection has sslmode=verify-ca without sslrootcert/],
  ])('%j is rejected with its name', (env, expected) => {
    expect(() => Config.from({ ...PARTS, ...env })).toThrow(expected);
  });

  test('PG variables satisfy the database requirement in production', () => {
    expect(() => Config.from({ ...PARTS, NODE_ENV: 'production' })).toThrow(/^(?!.*DATABASE_URL)/s);
    expect(() => Config.from({ PGHOST: 'db', NODE_ENV: 'production' })).toThrow(/DATABASE_URL is not set/);
  });
});

describe('a source of the password', () => {
  const DATABASE_URL = 'postgres://gateway@db/gateway';
  const file = { GW_DATABASE_PASSWORD_FILE: '/run/password' };
  const command = { GW_DATABASE_PASSWORD_COMMAND: '["/opt/password","{host}"]' };

  test.each<[Record<string, string>, RegExp]>([
    [{ DATABASE_URL, ...file, ...command }, /are both set\. Set only one of them/],
    [file, /GW_DATABASE_PASSWORD_FILE is set without a database\. Set DATABASE_URL, or PGHOST/],
    [{ DATABASE_URL: 'postgres://gateway:hunter2@db/gateway', ...file }, /has a password already\. Remove one of them/],
    [{ PGHOST: 'db', PGDATABASE: 'x', PGUSER: 'x', PGPASSWORD: 'hunter2', ...command }, /has a password already/],
    [
      { DATABASE_URL, GW_DATABASE_PASSWORD_COMMAND: '/opt/hunter2' },
      /is not a JSON array of strings \(value not shown\)/,
    ],
    [{ DATABASE_URL, GW_DATABASE_PASSWORD_COMMAND: '[]' }, /is not a JSON array of strings/],
    [{ DATABASE_URL, GW_DATABASE_PASSWORD_COMMAND: '["hunter2", 1]' }, /is not a JSON array of strings/],
  ])('%j is rejected with the remedy', (env, expected) => {
    let problem = '';
    try {
      Config.from(env);
    } catch (error) {
      problem = String(error);
    }
    expect(problem).toMatch(expected);
    expect(problem).not.toContain('hunter2');
  });

  test.each([file, command])(
    '%j is accepted with DATABASE_URL and with PGHOST, and its file may be missing',
    (source) => {
      for (const env of [{ DATABASE_URL }, { PGHOST: 'db', PGDATABASE: 'gateway' }])
        expect(new URL(Config.from({ ...env, ...source }).databaseUrl!).password).toBe('');
    },
  );
});

describe('a list of hosts', () => {
  test.each([
    ['postgres://h1:5433,h2/g', 'h1,h2', '5433,5432'],
    ['postgres://u:p,w%40@[::1]:5433,[fe80::2]/g?sslmode=disable', '::1,fe80::2', '5433,5432'],
    ['postgres://h1/g?host=h2,h3&port=6432', 'h2,h3', '6432'],
  ])('%s leads to the hosts %s with the ports %s', (url, host, port) => {
    const { searchParams } = new URL(urlOf({ DATABASE_URL: url })!);
    expect([searchParams.get('host'), searchParams.get('port')]).toEqual([host, port]);
  });

  test('a list keeps the user, the password, the database and the other parameters', () => {
    const url = new URL(urlOf({ DATABASE_URL: 'postgres://u:p,w%40@h1,h2:7/g?sslmode=require' })!);
    const { username, password, pathname, hostname, searchParams } = url;
    expect([username, password, pathname, hostname]).toEqual(['u', 'p,w%40', '/g', 'h1']);
    expect(searchParams.get('sslmode')).toBe('require');
  });

  test.each([
    ['postgres://h1,/g', /empty host in its list/],
    ['postgres://h1:x,h2/g', /invalid value/],
    ['postgres://h/g?host=a,,b', /empty host in its list/],
    ['postgres://h/g?host=a,b&port=1,2,3', /another number of ports than of hosts/],
    ['postgres://h/g?host=a,b&port=1,x', /a port that is not a number from 1 to 65535/],
    [`postgres://${Array.from({ length: 17 }, (_, at) => `h${at}`).join(',')}/g`, /more than 16 hosts/],
  ])('%s is rejected with the problem', (url, expected) => {
    expect(problemOf(url)).toMatch(expected);
  });
});

describe('parameters of DATABASE_URL', () => {
  test.each(['target_session_attrs=read-write', 'connect_timeout=2', 'channel_binding=require', 'application_name=a'])(
    '%s is accepted',
    (parameter) => {
      const url = `postgres://gateway@db/gateway?${parameter}`;
      expect(urlOf({ DATABASE_URL: url })).toBe(url);
    },
  );

  test.each([
    [
      'pgbouncer=true',
      /has the parameter pgbouncer that the gateway does not support\. Remove it\. It supports .*host/,
    ],
    ['hostaddr=10.0.0.1', /has the parameter hostaddr that the gateway does not support/],
    ['hunter2=1', /has a parameter that the gateway does not support/],
    ['gw_password_file=/etc/passwd', /has a parameter that the gateway does not support/],
    ['target_session_attrs=writable', /has an invalid target_session_attrs\. It must match .*read-write/],
    ['connect_timeout=soon', /has an invalid connect_timeout/],
    ['client_encoding=LATIN1', /has an invalid client_encoding/],
  ])('%s is rejected, and no unknown text is shown', (parameter, expected) => {
    const problem = problemOf(`postgres://gateway@db/gateway?${parameter}`);
    expect(problem).toMatch(expected);
    expect(problem).not.toMatch(/hunter2|passwd|writable|soon|LATIN1/);
  });
});
