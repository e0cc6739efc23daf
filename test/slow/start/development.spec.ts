import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeInOrder } from '../../support/describe-in-order.js';
import { until } from '../../support/until.js';
import { GatewayProcess } from '../../support/gateway-process.js';

let dataDir: string;
let gateway: GatewayProcess;

const launch = async () => {
  // As under `node --watch` (`npm run dev`), where each program first sends its parent the files that it has loaded.
  gateway = GatewayProcess.launch({ GW_DATA_DIR: dataDir, WATCH_REPORT_DEPENDENCIES: '1' });
  await gateway.whenReady();
};
const FILES = ['admin-key', 'secret-key', 'owner-password'];
const secret = (file: string) => readFile(join(dataDir, file), 'utf8').then((text) => text.trim());

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gateway-development-'));
  await launch();
});
afterAll(async () => {
  await GatewayProcess.endAll();
  await rm(dataDir, { recursive: true, force: true });
});

const firstRequest = () => gateway.stdout.slice(gateway.stdout.indexOf('KEY=$(')).split('\n\n')[0]!;

const ask = () =>
  JSON.parse(execFileSync('bash', ['-c', firstRequest()], { encoding: 'utf8', stdio: 'pipe' })) as object;

/** In this order, because the last test ends the gateway of the earlier ones. */
describeInOrder('a development start without settings', () => {
  test('the gateway prints its addresses, and they respond with 200', async () => {
    const printed = gateway.stdout.matchAll(/http:\/\/127\.0\.0\.1:\d+(\/[^\s,]+)/g);
    const paths = new Set(Array.from(printed, (match) => match[1]));
    for (const path of ['/openapi.json', '/docs', '/health/ready']) {
      expect(paths).toContain(path);
      expect((await fetch(gateway.url + path)).status).toBe(200);
    }
  });

  test('the printed first request creates a key and returns a completion when pasted', () => {
    expect(ask()).toMatchObject({ object: 'chat.completion', choices: [{ message: { role: 'assistant' } }] });
  });

  test('secrets are not printed, and are stored in files that only their user can read', async () => {
    for (const file of FILES) {
      expect(gateway.stdout + gateway.stderr).not.toContain(await secret(file));
      if (process.platform !== 'win32') expect((await stat(join(dataDir, file))).mode & 0o777).toBe(0o600);
    }
    expect(gateway.stdout).toContain(join(dataDir, 'admin-key'));
    expect(gateway.stdout).toContain(`owner@localhost, initial password in ${join(dataDir, 'owner-password')}`);
    expect(gateway.stdout + gateway.stderr).not.toMatch(/sk-gw-|admin_gw_/);
  });

  test('the owner can sign in with the printed email and the password in the file', async () => {
    const body = { email: 'owner@localhost', password: await secret('owner-password') };
    const { status, headers } = await gateway.call('POST', '/dashboard/session', { body });
    expect([status, headers.getSetCookie().length]).toEqual([200, 1]);
    expect(gateway.stdout).toContain(`${gateway.url}/dashboard/`);
  });

  test('starting in the folder of a running gateway fails with exit code 78 and one line', async () => {
    const second = GatewayProcess.launch({ GW_DATA_DIR: dataDir });
    expect(await second.ended).toEqual({ code: 78, signal: null });
    expect(second.stderr).toMatch(/^[^\n]*another running gateway[^\n]*GW_DATA_DIR[^\n]*\n$/);
    expect((await gateway.call('GET', '/health/ready')).status).toBe(200);
  });

  test('Ctrl-C and `kill -9` leave no process, and the next start keeps secrets and data', async () => {
    const secrets = await Promise.all(FILES.map(secret));
    const before = await keys(secrets[0]!);
    expect(before.length).toBeGreaterThan(0);

    const first = await offspringOf(gateway.pid);
    // Like Ctrl-C, which signals every process of the terminal.
    gateway.signal('SIGINT', true);
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
    expect(await alive(first)).toEqual([]);

    await launch();
    expect(await Promise.all(FILES.map(secret))).toEqual(secrets);
    expect(await keys(secrets[0]!)).toEqual(before);

    const second = await offspringOf(gateway.pid);
    await gateway.kill();
    await until(async () => (await alive(second)).length === 0);
    // At least the sandbox, the PostgreSQL server, and the server's own processes.
    if (process.platform === 'linux') expect(Math.min(first.length, second.length)).toBeGreaterThan(2);
  });
});

test('a gateway that is stopped early in development exits with code 0 and leaves no process', async () => {
  const early = GatewayProcess.launch();
  // This file is created first, before the database.
  await until(() => existsSync(join(early.dataDir, 'secret-key')));
  const begun = await offspringOf(early.pid);
  expect(await early.stop()).toEqual({ code: 0, signal: null });
  expect(early.stdout).not.toContain('Gateway');
  await until(async () => (await alive(begun)).length === 0);
});

async function keys(adminKey: string): Promise<string[]> {
  const { body } = await gateway.call<{ keys: { id: string }[] }>('GET', '/admin/api-keys', { key: adminKey });
  return body.keys.map(({ id }) => id);
}

/** Returns all descendants of a process; none on systems other than Linux. */
async function offspringOf(pid: number): Promise<number[]> {
  const children = (await processes()).filter(({ parent }) => parent === pid).map((child) => child.pid);
  return [...children, ...(await Promise.all(children.map(offspringOf))).flat()];
}

async function alive(pids: readonly number[]): Promise<number[]> {
  const there = new Set((await processes()).map(({ pid }) => pid));
  return pids.filter((pid) => there.has(pid));
}

/** Returns all processes except zombies. */
async function processes(): Promise<{ pid: number; parent: number }[]> {
  if (process.platform !== 'linux') return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  return stats.flatMap((text) => {
    const [, pid, state, parent] = /^(\d+) \(.*\) (\S) (\d+) /s.exec(text) ?? [];
    return state === undefined || state === 'Z' ? [] : [{ pid: Number(pid), parent: Number(parent) }];
  });
}
