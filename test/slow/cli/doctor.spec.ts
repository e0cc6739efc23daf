import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CertificateAuthority } from '../../support/certificates.js';
import { ConnectProxy } from '../../support/connect-proxy.js';
import { TestGateway, UPSTREAM_KEY } from '../../support/gateway.js';
import { TEST_SETTINGS } from '../../support/gateway-process.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';
import { cliJson, cliProcess } from '../../cli/command.js';
import { diagnose, found, PASSWORD, troubles } from '../../cli/diagnosis.js';

let scratch: ScratchDatabase;
let upstream: ScriptedUpstream;
let sound: Record<string, string>;

beforeAll(async () => {
  [scratch, upstream] = await Promise.all([createScratchDatabase(), startUpstream()]);
  sound = { PORT: '0', DATABASE_URL: scratch.url, GW_UPSTREAM_BASE_URL: upstream.url };
  await cliJson(['operator', 'create', '--email', 'o@example.com', '--name', 'O', '--role', 'owner', '--generate'], {
    env: sound,
  });
});
beforeEach(() => upstream.reset());
afterAll(async () => {
  await upstream.stop();
  await scratch.drop();
});

const doctor = (env: Record<string, string> = {}) => diagnose({ ...sound, ...env });

describe('doctor without problems', () => {
  test('every check is ok, and the upstream receives only a model list request', async () => {
    const diagnosis = await doctor();
    expect(troubles(diagnosis)).toEqual({});
    expect(diagnosis.checks.map(({ check }) => check)).toEqual([
      'settings',
      'data_dir',
      'secret_key',
      'database',
      'database_version',
      'database_sessions',
      'database_encoding',
      'database_settings',
      'database_replication',
      'database_rights',
      'database_clock',
      'database_connections',
      'migrations',
      'owner',
      'webhook_secrets',
      'egress_proxy',
      'upstream_certificates',
      'upstream',
      'port',
      'open_files',
    ]);
    expect(upstream.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v1/models']);
    expect(upstream.requests[0]!.header('authorization')).toBe(`Bearer ${UPSTREAM_KEY}`);
  });

  test('doctor prints aligned lines in plain ASCII', async () => {
    const { code, stdout, stderr } = await cliProcess(['doctor'], { env: sound });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^[\x20-\x7e\n]+\nNo problems found\.\n$/);
    const lines = stdout.split('\n').slice(0, 17);
    for (const line of lines) expect(line).toMatch(/^ok {4}[a-z_ ]{21} {2}\S/);
  });

  test('doctor recognizes a running gateway on its port', async () => {
    const gateway = await TestGateway.start({}, { databaseUrl: scratch.url, upstream });
    const diagnosis = await doctor({ PORT: String(gateway.port) });
    expect(found(diagnosis, 'port')).toMatchObject({ status: 'ok', message: expect.stringContaining('version test') });
    await gateway.stop();
  });
});

describe('doctor with invalid settings', () => {
  test('doctor reports all invalid settings at once and runs no other check', async () => {
    const wrong = { DATABASE_URL: `mysql://${PASSWORD}`, GW_DATABASE_POOL: 'many', GW_LOG_SAMPLE_RATE: '2' };
    const diagnosis = await doctor(wrong);
    expect(diagnosis.checks.map(({ check, status }) => `${check} ${status}`)).toEqual(Array(3).fill('settings fail'));
    for (const name of Object.keys(wrong)) expect(JSON.stringify(diagnosis)).toContain(name);
    expect(upstream.requests).toEqual([]);
  });

  test('doctor reports all settings that are missing in production', async () => {
    const unset = { DATABASE_URL: '', GW_ADMIN_KEY: '', GW_SECRET_KEY: '', GW_UPSTREAM_BASE_URL: '' };
    const diagnosis = await doctor({ NODE_ENV: 'production', ...unset, GW_OWNER_EMAIL: 'o@example.com' });
    expect(diagnosis.checks.map(({ message }) => message.split(' ')[0]).toSorted()).toEqual(
      [...Object.keys(unset), 'GW_OWNER_PASSWORD'].toSorted(),
    );
  });

  test('doctor warns of an unknown setting and runs the other checks', async () => {
    const diagnosis = await doctor({ GW_DATABSE_POOL: '5' });
    expect(troubles(diagnosis)).toEqual({ settings: 'warn' });
    expect(JSON.stringify(diagnosis)).toContain('GW_DATABSE_POOL is not a setting');
    expect(JSON.stringify(diagnosis)).toContain('Did you mean GW_DATABASE_POOL?');
  });

  test('doctor warns that REDIS_URL is ignored, without showing its value', async () => {
    const diagnosis = await doctor({ REDIS_URL: `redis://gateway:${PASSWORD}@127.0.0.1:1` });
    expect(troubles(diagnosis)).toEqual({ settings: 'warn' });
    expect(JSON.stringify(diagnosis)).toContain('REDIS_URL is ignored: the gateway counts requests in PostgreSQL only');
    expect(JSON.stringify(diagnosis)).not.toContain(PASSWORD);
  });
});

describe('doctor with an egress proxy', () => {
  const env = { GW_UPSTREAM_BASE_URL: 'http://provider.test/v1', NO_PROXY: 'collector.test' };

  test('doctor names the proxy of each target, but not its credential', async () => {
    const proxy = await ConnectProxy.start({ 'provider.test:80': Number(new URL(upstream.url).port) });
    const url = `http://gateway:${PASSWORD}@127.0.0.1:${proxy.port}`;
    const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.test' };
    const diagnosis = await doctor({ ...env, ...collector, GW_EGRESS_PROXY: url });
    expect(troubles(diagnosis)).toEqual({});
    const text = `connects to provider.test through 127.0.0.1:${proxy.port} (GW_EGRESS_PROXY), collector.test directly`;
    await proxy.stop();
    expect(found(diagnosis, 'egress_proxy').message).toBe(text);
  });

  test('doctor reports a proxy that cannot be reached', async () => {
    const diagnosis = await doctor({ ...env, HTTP_PROXY: `http://gateway:${PASSWORD}@127.0.0.1:1` });
    expect(troubles(diagnosis)).toEqual({ egress_proxy: 'fail', upstream: 'fail' });
    expect(found(diagnosis, 'egress_proxy').message).toBe('127.0.0.1:1 of HTTP_PROXY cannot be reached: ECONNREFUSED');
  });

  test('doctor warns of a certificate that expires soon', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gateway-doctor-'));
    const { certFile } = CertificateAuthority.create(folder, 'authority');
    const diagnosis = await doctor({ GW_UPSTREAM_CA_FILE: certFile });
    await rm(folder, { recursive: true });
    expect(troubles(diagnosis)).toEqual({ upstream_certificates: 'warn' });
  });
});

describe('doctor with an unusable upstream', () => {
  const upstreamOf = async (env: Record<string, string> = {}) => {
    const diagnosis = await doctor(env);
    expect(troubles(diagnosis)).toEqual({ upstream: 'fail' });
    return found(diagnosis, 'upstream').message;
  };
  const answering = (status: number, body: string) =>
    upstream.on('GET', '/v1/models', (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body);
    });

  test('doctor fails if the upstream cannot be reached', async () => {
    expect(await upstreamOf({ GW_UPSTREAM_BASE_URL: 'http://127.0.0.1:1/v1' })).toMatch(/cannot be reached/);
  });

  test.each([
    ['rejects the credential', 401, `{"error": {"message": "bad key ${UPSTREAM_KEY}"}}`, /credential.*401/],
    ['does not have the path', 404, '{}', /404/],
    ['returns 500', 500, '{}', /500/],
    ['lists no models', 200, '{"object": "list", "data": []}', /empty/],
    ['returns a web page', 200, '<html>', /not JSON/],
  ])('doctor fails for an upstream that %s', async (_problem, status, body, message) => {
    answering(status, body);
    expect(await upstreamOf()).toMatch(message);
  });
});

describe('doctor with an unusable port', () => {
  test('doctor fails if the port is in use or the address belongs to another machine', async () => {
    const stranger = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'));
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const { port } = stranger.address() as AddressInfo;
    const [taken, elsewhere] = await Promise.all([
      doctor({ PORT: String(port) }),
      doctor({ PORT: '18080', HOST: '192.0.2.1' }),
    ]);
    stranger.close();
    expect(troubles(taken)).toEqual({ port: 'fail' });
    expect(found(taken, 'port').message).toContain(`${port} is in use`);
    expect(found(elsewhere, 'port').message).toContain('192.0.2.1 is not an address');
  });
});

describe('doctor with a development data folder', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gateway-doctor-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const development = (env: Record<string, string> = {}) => doctor({ GW_DATA_DIR: folder, GW_SECRET_KEY: '', ...env });

  test('doctor does not create the data folder, secrets or the database', async () => {
    const dataDir = join(folder, 'not-there');
    const diagnosis = await development({ GW_DATA_DIR: dataDir, DATABASE_URL: '' });
    expect(Object.values(troubles(diagnosis))).toEqual(Array(11).fill('skipped'));
    expect(found(diagnosis, 'database').message).toContain('the first start');
    await expect(rm(dataDir)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('doctor warns of files that others can read, and fails for an invalid secret key', async () => {
    const file = join(folder, 'secret-key');
    await chmod(folder, 0o755);
    await writeFile(file, `${TEST_SETTINGS.GW_SECRET_KEY}\n`, { mode: 0o644 });
    expect(troubles(await development())).toEqual({ data_dir: 'warn', secret_key: 'warn' });
    await chmod(folder, 0o700);
    await chmod(file, 0o600);
    expect(troubles(await development())).toEqual({});
    await writeFile(file, 'short');
    expect(troubles(await development())).toEqual({ secret_key: 'fail' });
  });

  test('doctor fails if the data folder is a file', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    expect(troubles(await development({ GW_DATA_DIR: file })).data_dir).toBe('fail');
  });
});
