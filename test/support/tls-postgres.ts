import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';

/** The program that makes the certificates is not part of Node. */
export const OPENSSL = spawnSync('openssl', ['version']).status === 0;
export const KEY_PASSWORD = 'key-password';
const UNPRIVILEGED_ID = 65534;

/** `tls_only` and `plain_only` have no password. `cert_user` needs a client certificate. */
const RULES = `
host      all gateway    127.0.0.1/32 scram-sha-256
hostssl   all tls_only   127.0.0.1/32 trust
hostnossl all plain_only 127.0.0.1/32 trust
hostssl   all cert_user  127.0.0.1/32 cert
`;

export interface TlsPostgres {
  /** The server's certificate is for `localhost`, and is signed by its own authority. */
  readonly port: number;
  /** Returns the path of `ca.crt`, `other-ca.crt`, `client.crt`, `client.key` or `encrypted.key`. */
  file(name: string): string;
  stop(): Promise<void>;
}

export async function startTlsPostgres(): Promise<TlsPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-tls-'));
  const file = (name: string) => join(folder, name);
  makeCertificates(folder);
  await writeFile(file('hba.conf'), RULES);
  await chmod(folder, 0o755);
  // PostgreSQL does not run as root, and accepts only a key that its user owns.
  if (process.getuid?.() === 0) await chown(file('server.key'), UNPRIVILEGED_ID, UNPRIVILEGED_ID);
  const server = await startEmbeddedPostgres(join(folder, 'data'), () => undefined, {
    fsync: 'off',
    ssl: 'on',
    hba_file: file('hba.conf'),
    ssl_ca_file: file('ca.crt'),
    ssl_cert_file: file('server.crt'),
    ssl_key_file: file('server.key'),
  });
  await createUsers(server.url);
  return {
    port: Number(new URL(server.url).port),
    file,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function makeCertificates(folder: string): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  for (const name of ['ca', 'other-ca'])
    openssl(
      'req',
      '-x509',
      ...key,
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.crt`,
    );
  const signed = (name: string, subject: string, ...extensions: string[]) => {
    const issuer = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-days', '2'];
    openssl(
      'req',
      '-x509',
      ...key,
      ...issuer,
      '-subj',
      subject,
      ...extensions,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.crt`,
    );
  };
  signed('server', '/CN=server', '-addext', 'subjectAltName=DNS:localhost');
  signed('client', '/CN=cert_user');
  openssl('pkey', '-in', 'client.key', '-aes256', '-passout', `pass:${KEY_PASSWORD}`, '-out', 'encrypted.key');
}

async function createUsers(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const user of ['tls_only', 'plain_only', 'cert_user']) await client.query(`create role ${user} login superuser`);
  await client.end();
}
