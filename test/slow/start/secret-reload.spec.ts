import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { hash } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayProcess } from '../../support/gateway-process.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';
import { until } from '../../support/until.js';

const adminKey = (name: string) => `admin_gw_${hash('sha256', name, 'hex')}`;
const secretKey = (nth: number) => hash('sha256', `secret ${nth}`, 'base64');

let upstream: ScriptedUpstream;
let scratch: ScratchDatabase;
let folder: string;
let version = 0;

beforeAll(async () => {
  [upstream, scratch] = await Promise.all([startUpstream(), createScratchDatabase()]);
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-reload-'));
});
afterEach(async () => {
  await GatewayProcess.endAll();
  await rm(folder, { recursive: true });
});
afterAll(async () => {
  await upstream.stop();
  await scratch.drop();
});

/** Replaces all files at once, like the kubelet: a new folder, and an atomic swap of the symbolic link to it. */
async function mount(files: Record<string, string>): Promise<void> {
  const name = `..version-${version++}`;
  await mkdir(join(folder, name));
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, name, file), text);
  await symlink(name, join(folder, '..data_tmp'));
  await rename(join(folder, '..data_tmp'), join(folder, '..data'));
}

const FIRST = { admin: `${adminKey('1')}\n`, secret: secretKey(1), upstream: 'first-credential\n' };

/** Starts a gateway with all of its secrets in files. */
async function start(more: Record<string, string> = {}): Promise<GatewayProcess> {
  await mount({ ...FIRST, database: scratch.url });
  const gateway = GatewayProcess.launch({
    NODE_ENV: 'production',
    LOG_LEVEL: 'info',
    GW_DRAIN_DELAY_SECONDS: '0',
    GW_UPSTREAM_BASE_URL: upstream.url,
    GW_ADMIN_KEY_FILE: join(folder, '..data/admin'),
    GW_SECRET_KEY_FILE: join(folder, '..data/secret'),
    GW_UPSTREAM_API_KEY_FILE: join(folder, '..data/upstream'),
    DATABASE_URL_FILE: join(folder, '..data/database'),
    ...more,
  });
  await gateway.whenReady();
  return gateway;
}

const accepts = async (gateway: GatewayProcess, key: string) =>
  (await gateway.call('GET', '/admin/api-keys', { key })).status === 200;

/** Sends several requests, so that each worker handles one. */
async function everywhere(gateway: GatewayProcess, key: string, accepted: boolean): Promise<boolean> {
  const responses = await Promise.all(Array.from({ length: 12 }, () => accepts(gateway, key)));
  return responses.every((response) => response === accepted);
}

const logged = (gateway: GatewayProcess, text: string) => until(() => gateway.stdout.includes(text));

describe.each(['1', '2'])('secrets in files, with GW_WORKERS=%s', (workers) => {
  test('a changed admin key and provider key are used without a restart, and the log shows no value', async () => {
    const gateway = await start({ GW_WORKERS: workers });
    expect(await everywhere(gateway, adminKey('1'), true)).toBe(true);
    const { body } = await gateway.call<{ key: string }>('POST', '/admin/api-keys', {
      key: adminKey('1'),
      body: { name: 'caller', rpm_limit: 1000, rpd_limit: 1000 },
    });
    const credential = async () => {
      upstream.reset();
      const chat = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }] };
      await gateway.call('POST', '/v1/chat/completions', { key: body.key, body: chat });
      return (await upstream.received(0, 'POST /v1/chat/completions')).header('authorization');
    };
    expect(await credential()).toBe('Bearer first-credential');

    await mount({ ...FIRST, admin: adminKey('2'), upstream: 'second-credential', database: scratch.url });
    await until(() => everywhere(gateway, adminKey('2'), true));
    await until(() => everywhere(gateway, adminKey('1'), false));
    await until(async () => (await credential()) === 'Bearer second-credential');

    await logged(gateway, `The new GW_ADMIN_KEY in ${join(folder, '..data/admin')} is in use`);
    for (const secret of [adminKey('1'), adminKey('2'), 'first-credential', 'second-credential'])
      expect(gateway.stdout + gateway.stderr).not.toContain(secret);
  });
});

describe('unusable changes', () => {
  test('an invalid, empty or missing file keeps the value in use and logs an error', async () => {
    const gateway = await start();
    await mount({ ...FIRST, admin: 'admin_gw_short', upstream: '', database: scratch.url });
    await logged(gateway, 'admin has an invalid value of GW_ADMIN_KEY (not shown). Use ');
    await logged(gateway, 'upstream\\", which is empty. ');
    await mount({ ...FIRST, upstream: 'short', database: scratch.url });
    await logged(gateway, 'GW_UPSTREAM_API_KEY is a secret of fewer than 8 characters');
    await mount({ ...FIRST, admin: `admin_gw_${'changeme'.repeat(4)}`, database: scratch.url });
    await logged(gateway, 'GW_ADMIN_KEY is easy to guess (not shown)');
    await mount({ secret: FIRST.secret, database: scratch.url });
    await logged(gateway, 'admin\\", which cannot be read (ENOENT). ');
    expect(await accepts(gateway, adminKey('1'))).toBe(true);
    expect(gateway.stdout).not.toMatch(/admin_gw_short|changeme/);
    await mount({ ...FIRST, admin: adminKey('3'), database: scratch.url });
    await until(() => accepts(gateway, adminKey('3')));
  });

  test('GW_SECRET_KEY accepts a second key, but not an unrelated one, and DATABASE_URL needs a restart', async () => {
    const gateway = await start();
    await mount({ ...FIRST, secret: secretKey(2), database: `${scratch.url}?application_name=x` });
    await logged(gateway, 'has no key in common with the GW_SECRET_KEY that is in use');
    await logged(gateway, 'has a new DATABASE_URL. Restart the gateway to use it.');
    await mount({ ...FIRST, secret: `${secretKey(2)},${secretKey(1)}`, database: scratch.url });
    await logged(gateway, 'The new GW_SECRET_KEY in ');
    await mount({ ...FIRST, secret: secretKey(2), database: scratch.url });
    await until(() => gateway.stdout.split('The new GW_SECRET_KEY in ').length === 3);
  });
});
