import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { GatewayProcess, TEST_SETTINGS } from '../../../../support/gateway-process.js';
import { createScratchDatabase, type ScratchDatabase } from '../../../../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../../../../support/scripted-upstream.js';
import { until } from '../../../../support/until.js';

let first: ScriptedUpstream;
let second: ScriptedUpstream;
let scratch: ScratchDatabase;
let folder: string;
let path: string;

beforeAll(async () => {
  [first, second, scratch] = await Promise.all([startUpstream(), startUpstream(), createScratchDatabase()]);
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-upstreams-'));
  path = join(folder, 'upstreams.yaml');
});
afterEach(async () => {
  await GatewayProcess.endAll();
  await rm(folder, { recursive: true });
});
afterAll(async () => {
  await Promise.all([first.stop(), second.stop()]);
  await scratch.drop();
});

const write = (text: string) => writeFile(path, text);
const account = ({ url }: ScriptedUpstream) =>
  `upstreams: [{name: a, base_url: "${url}", credential: {file: credential}, models: [gpt-4o-mini]}]`;

const start = (env: Record<string, string>) =>
  GatewayProcess.start({
    DATABASE_URL: scratch.url,
    GW_UPSTREAMS: path,
    GW_UPSTREAM_API_KEY: '',
    LOG_LEVEL: 'info',
    ...env,
  });

/** Sends several requests, so that each worker handles one. */
async function allReach(upstream: ScriptedUpstream, credential: string, gateway: GatewayProcess, key: string) {
  first.reset();
  second.reset();
  await Promise.all(Array.from({ length: 8 }, () => gateway.chat(key)));
  const chats = upstream.requests.filter(({ path: requested }) => requested.endsWith('/chat/completions'));
  return chats.length === 8 && chats.every((chat) => chat.header('authorization') === `Bearer ${credential}`);
}

const workersOf = ({ pid }: GatewayProcess): number[] =>
  spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .stdout.trim()
    .split(/\s+/)
    .map(Number);

describe.each(['1', '2'])('a gateway with GW_UPSTREAMS and GW_WORKERS=%s', (workers) => {
  test('all processes use a changed file and a changed secret, and the output contains no secret', async () => {
    await writeFile(join(folder, 'credential'), 'first-credential');
    await write(account(first));
    const gateway = await start({ GW_WORKERS: workers });
    const { key } = await gateway.createKey();
    expect(await allReach(first, 'first-credential', gateway, key)).toBe(true);
    await writeFile(join(folder, 'credential'), 'second-credential');
    await until(() => allReach(first, 'second-credential', gateway, key));
    await write(account(second));
    await until(() => allReach(second, 'second-credential', gateway, key));
    expect(gateway.stdout).toContain(`The new content of ${path} is in use: changed a`);
    expect(gateway.stdout + gateway.stderr).not.toMatch(/(first|second)-credential/);
  });
});

test('a worker restarts with the upstreams in use while the file is invalid', async () => {
  await writeFile(join(folder, 'credential'), 'first-credential');
  await write(account(first));
  const gateway = await start({ GW_WORKERS: '2' });
  const { key } = await gateway.createKey();
  await write('upstreams: []');
  await until(() =>
    gateway.stdout.includes(':1:12: upstreams: is empty. Add an entry. The gateway keeps the current upstreams.'),
  );
  const before = workersOf(gateway);
  process.kill(before[0]!, 'SIGKILL');
  await until(() => workersOf(gateway).filter((pid) => !before.includes(pid)).length === 1);
  await until(() => allReach(first, 'first-credential', gateway, key));
});

test('an invalid file stops startup with exit code 78 and one line for each problem', async () => {
  await write('upstreams: [{name: A, base_url: "https://user:password@a.example"}]');
  const gateway = GatewayProcess.launch({ ...TEST_SETTINGS, GW_UPSTREAM_API_KEY: '', GW_UPSTREAMS: path });
  expect(await gateway.ended).toMatchObject({ code: 78 });
  expect(gateway.stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/:1:20: upstreams\[0\]\.name: must have /),
    expect.stringMatching(/:1:33: upstreams\[0\]\.base_url: must be a URL /),
  ]);
  expect(gateway.stderr).not.toContain('password@');
});
