import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeInOrder } from '../support/describe-in-order.js';
import { until } from '../support/until.js';
import { GatewayProcess } from '../support/gateway-process.js';

let dataDir: string;
let gateway: GatewayProcess;

const launch = async () => {
  // As under `node --watch` (`npm run dev`), where each program first tells its parent what it has loaded.
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

/** The `curl` lines as they stand in the terminal. */
const firstRequest = () => gateway.stdout.slice(gateway.stdout.indexOf('KEY=$(')).split('\n\n')[0]!;

const ask = () =>
  JSON.parse(execFileSync('bash', ['-c', firstRequest()], { encoding: 'utf8', stdio: 'pipe' })) as object;

/** In this order: one ends the gateway that those before it share, and the last begins another on its folder. */
describeInOrder('a development start with nothing set', () => {
  test('prints its addresses, and they answer', async () => {
    const printed = gateway.stdout.matchAll(/http:\/\/127\.0\.0\.1:\d+(\/[^\s,]+)/g);
    const paths = new Set(Array.from(printed, (match) => match[1]));
    for (const path of ['/openapi.json', '/docs', '/health/ready']) {
      expect(paths).toContain(path);
      expect((await fetch(gateway.url + path)).status).toBe(200);
    }
  });

  test('prints a first request that works when pasted: it makes a key and gets an answer', () => {
    expect(ask()).toMatchObject({ object: 'chat.completion', choices: [{ message: { role: 'assistant' } }] });
  });

  test('prints no key, and keeps the secrets in files that only its user reads', async () => {
    for (const file of FILES) {
      expect(gateway.stdout + gateway.stderr).not.toContain(await secret(file));
      if (process.platform !== 'win32') expect((await stat(join(dataDir, file))).mode & 0o777).toBe(0o600);
    }
    expect(gateway.stdout).toContain(join(dataDir, 'admin-key'));
    expect(gateway.stdout).toContain(`owner@localhost, initial password in ${join(dataDir, 'owner-password')}`);
    expect(gateway.stdout + gateway.stderr).not.toMatch(/sk-gw-|admin_gw_/);
  });

  test('makes an owner, who signs in with the e-mail that it prints and the password in the file', async () => {
    const body = { email: 'owner@localhost', password: await secret('owner-password') };
    const { status, headers } = await gateway.call('POST', '/dashboard/session', { body });
    expect([status, headers.getSetCookie().length]).toEqual([200, 1]);
    expect(gateway.stdout).toContain(`${gateway.url}/dashboard/`);
  });

  test('leaves no process behind; the next start has the same secrets and data; `kill -9` leaves none either', async () => {
    const secrets = await Promise.all(FILES.map(secret));
    const before = await keys(secrets[0]!);
    expect(before.length).toBeGreaterThan(0);

    const first = await offspringOf(gateway.pid);
    // As Ctrl-C does it: every process of the terminal gets the signal.
    gateway.signal('SIGINT', true);
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
    expect(await alive(first)).toEqual([]);

    await launch();
    expect(await Promise.all(FILES.map(secret))).toEqual(secrets);
    expect(await keys(secrets[0]!)).toEqual(before);

    const second = await offspringOf(gateway.pid);
    await gateway.kill();
    await until(async () => (await alive(second)).length === 0, 5000);
    // The sandbox, and PostgreSQL with its own processes.
    if (process.platform === 'linux') expect(Math.min(first.length, second.length)).toBeGreaterThan(2);
  });

  test('on a folder that a running gateway uses ends with code 78 and one line', async () => {
    await launch();
    const second = GatewayProcess.launch({ GW_DATA_DIR: dataDir });
    expect(await second.ended).toEqual({ code: 78, signal: null });
    expect(second.stderr).toMatch(/^[^\n]*another running gateway[^\n]*GW_DATA_DIR[^\n]*\n$/);
    expect((await gateway.call('GET', '/health/ready')).status).toBe(200);
  });
});

test('a development start that is stopped before it is done ends with 0 and leaves no process behind', async () => {
  const early = GatewayProcess.launch();
  // Its first sign of life; the database is made only then.
  await until(() => existsSync(join(early.dataDir, 'secret-key')), 10_000);
  const begun = await offspringOf(early.pid);
  expect(await early.stop()).toEqual({ code: 0, signal: null });
  expect(early.stdout).not.toContain('Gateway');
  await until(async () => (await alive(begun)).length === 0, 5000);
});

async function keys(adminKey: string): Promise<string[]> {
  const { body } = await gateway.call<{ keys: { id: string }[] }>('GET', '/admin/api-keys', { key: adminKey });
  return body.keys.map(({ id }) => id);
}

/** All that a process has started, directly or not; of other systems than Linux nothing is known here. */
async function offspringOf(pid: number): Promise<number[]> {
  const children = (await processes()).filter(({ parent }) => parent === pid).map((child) => child.pid);
  return [...children, ...(await Promise.all(children.map(offspringOf))).flat()];
}

async function alive(pids: readonly number[]): Promise<number[]> {
  const there = new Set((await processes()).map(({ pid }) => pid));
  return pids.filter((pid) => there.has(pid));
}

/** Without those that have ended and that nobody has asked about yet. */
async function processes(): Promise<{ pid: number; parent: number }[]> {
  if (process.platform !== 'linux') return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  return stats.flatMap((text) => {
    const [, pid, state, parent] = /^(\d+) \(.*\) (\S) (\d+) /s.exec(text) ?? [];
    return state === undefined || state === 'Z' ? [] : [{ pid: Number(pid), parent: Number(parent) }];
  });
}
