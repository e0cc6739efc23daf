import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { LoggerService } from '@nestjs/common';
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config } from '../../src/platform/config/config.js';
import { SecretFileWatch } from '../../src/start/secret-file-watch.js';
import { until } from '../support/until.js';

const INTERVAL_MS = 10;
const key = (name: string) => `admin_gw_${hash('sha256', name, 'hex')}`;

let folder: string;
let watch: SecretFileWatch | undefined;
let lines: string[];
let log: LoggerService;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-watch-'));
  lines = [];
  const note = (message: string) => void lines.push(message);
  log = { log: note, warn: note, error: note };
});
afterEach(async () => {
  await watch?.stop();
  watch = undefined;
  rmSync(folder, { recursive: true });
});

const pathOf = (name: string) => join(folder, name);
const write = (name: string, text: string) => writeFileSync(pathOf(name), text);

/** @param settings names of settings and the contents of their files */
function start(settings: Record<string, string>): Config {
  const env = Object.fromEntries(Object.keys(settings).map((name) => [`${name}_FILE`, pathOf(name)]));
  for (const [name, text] of Object.entries(settings)) write(name, text);
  const config = Config.from(env);
  watch = new SecretFileWatch(env, config, log, INTERVAL_MS);
  return config;
}

/** Returns when every file was checked at least twice: a change of this file needs two polls. */
async function severalPolls(): Promise<void> {
  const before = lines.length;
  write('GW_ADMIN_KEY', key(String(before % 10)));
  await until(() => lines.some((line) => line.startsWith('The new GW_ADMIN_KEY')));
}

test('development uses a guessable admin key, with a warning', async () => {
  start({ GW_ADMIN_KEY: key('a') });
  write('GW_ADMIN_KEY', `admin_gw_${'0'.repeat(32)}`);
  await until(() => lines.length > 1);
  expect(lines).toEqual([
    expect.stringMatching(/^GW_ADMIN_KEY is easy to guess \(not shown\)/),
    `The new GW_ADMIN_KEY in ${pathOf('GW_ADMIN_KEY')} is in use`,
  ]);
});

describe('files with secrets', () => {
  test('files that have not changed since the start are not reported, even if their values were normalized', async () => {
    start({
      DATABASE_URL: 'postgres://gateway:password-1@db/gateway/\n',
      GW_EGRESS_PROXY: 'user:password-2@PROXY.example:3128',
      GW_ADMIN_KEY: key('a'),
      GW_UPSTREAM_API_KEY: 'sk-upstream-key\r\n',
    });
    await severalPolls();
    expect(lines).toEqual([`The new GW_ADMIN_KEY in ${pathOf('GW_ADMIN_KEY')} is in use`]);
  });

  test('a changed value that needs a restart is reported once', async () => {
    start({ GW_EGRESS_PROXY: 'http://proxy:3128', GW_ADMIN_KEY: key('a') });
    write('GW_EGRESS_PROXY', 'http://proxy:3129');
    await until(() => lines.length > 0);
    await severalPolls();
    expect(lines.filter((line) => line.includes('GW_EGRESS_PROXY'))).toEqual([
      `${pathOf('GW_EGRESS_PROXY')} has a new GW_EGRESS_PROXY. Restart the gateway to use it.`,
    ]);
  });

  test('a pipe without a writer does not block the process, and the value in use stays', async () => {
    start({ GW_UPSTREAM_API_KEY: 'sk-upstream-key', GW_ADMIN_KEY: key('a') });
    rmSync(pathOf('GW_UPSTREAM_API_KEY'));
    execFileSync('mkfifo', [pathOf('GW_UPSTREAM_API_KEY')]);
    await until(() => lines.length > 0);
    expect(lines[0]).toMatch(
      /^GW_UPSTREAM_API_KEY_FILE names ".*", which is not a file\. .* The gateway keeps the current value of GW_UPSTREAM_API_KEY\.$/,
    );
    await severalPolls();
  });

  test.each([
    ['a folder', (path: string) => execFileSync('mkdir', [path]), /which cannot be read \(EISDIR\)/],
    ['a huge file', (path: string) => writeFileSync(path, 'x'.repeat(70_000)), /which has 70000 bytes/],
    ['an endless device', (path: string) => execFileSync('ln', ['-s', '/dev/zero', path]), /which is not a file/],
  ])('%s in place of a file is reported once, and a good file afterwards is used', async (_name, make, problem) => {
    start({ GW_UPSTREAM_API_KEY: 'sk-upstream-key', GW_ADMIN_KEY: key('a') });
    rmSync(pathOf('GW_UPSTREAM_API_KEY'));
    make(pathOf('GW_UPSTREAM_API_KEY'));
    await until(() => lines.some((line) => problem.test(line)));
    await severalPolls();
    expect(lines.filter((line) => problem.test(line))).toHaveLength(1);
    rmSync(pathOf('GW_UPSTREAM_API_KEY'), { recursive: true });
    write('GW_UPSTREAM_API_KEY', 'sk-upstream-key-2');
    await until(() => lines.some((line) => line.startsWith('The new GW_UPSTREAM_API_KEY')));
  });

  test('a part of the gateway that fails with a new value is logged, and the other files are still checked', async () => {
    const config = start({ GW_UPSTREAM_API_KEY: 'sk-upstream-key', GW_ADMIN_KEY: key('a') });
    config.reloads.subscribe(({ upstreamApiKey }) => {
      if (upstreamApiKey !== undefined) throw new Error('not usable');
    });
    write('GW_UPSTREAM_API_KEY', 'sk-upstream-key-2');
    await until(() => lines.some((line) => line.includes('not usable')));
    await severalPolls();
  });
});
