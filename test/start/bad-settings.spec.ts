import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { transformFile } from '@swc/core';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Config, ConfigError } from '../../src/platform/config/config.js';
import { requireFreeAddresses } from '../../src/start/addresses.js';
import { keepDevelopmentSecrets } from '../../src/start/development-secrets.js';
import { until } from '../support/until.js';
import { GatewayProcess, TEST_SETTINGS } from '../support/gateway-process.js';

/** Nothing listens here. Each of these starts fails before it connects. */
const NOWHERE = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', GW_UPSTREAM_BASE_URL: 'http://127.0.0.1:1/v1' };
const USABLE = { ...TEST_SETTINGS, ...NOWHERE };
const PRODUCTION = { ...USABLE, NODE_ENV: 'production' };

let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-settings-'));
  file = join(folder, 'file');
  await writeFile(file, '{"models": [{"id": "m", "category": "none such"}]}');
});
afterAll(async () => {
  await GatewayProcess.endAll();
  await rm(folder, { recursive: true, force: true });
});

/** Returns the only problem that startup with these settings reports, and checks exit code 78. */
async function refusal(env: Record<string, string>): Promise<string> {
  const problems = await refusals(env);
  expect(problems).toHaveLength(1);
  return problems[0]!;
}

/** Returns all problems: a line each, which is JSON in production. */
async function refusals(env: Record<string, string>): Promise<string[]> {
  const gateway = GatewayProcess.launch(env);
  expect(await gateway.ended).toEqual({ code: 78, signal: null });
  expect(gateway.stdout).not.toContain('Gateway ');
  const lines = gateway.stderr.trimEnd().split('\n');
  if (env.NODE_ENV !== 'production') return lines;
  return lines.map((line) => {
    const { level, time, context, msg } = JSON.parse(line) as Record<string, unknown>;
    expect({ level, context }).toEqual({ level: 60, context: 'Start' });
    expect(new Date(time as string).toISOString()).toBe(time);
    return msg as string;
  });
}

/** Returns the problem that a part of startup reports. Startup then ends with exit code 78. @throws any other error */
async function problemOf(part: () => unknown): Promise<string> {
  try {
    await part();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.join('\n');
    throw error;
  }
  throw new Error('no problem was reported');
}
const addressProblem = (env: Record<string, string>) =>
  problemOf(() => requireFreeAddresses(Config.from({ ...USABLE, ...env })));

describe('invalid settings', () => {
  test('each invalid setting stops startup with exit code 78 and an error that names the allowed values', async () => {
    const invalid = [
      ['PORT', '80x', 'a whole number from 0 to 65535'],
      ['NODE_ENV', 'prod', 'development, production, or test'],
      ['GW_LOG_SAMPLE_RATE', '2', 'a number from 0 to 1'],
    ] as const;
    const problems = await refusals({ ...USABLE, ...Object.fromEntries(invalid) });
    expect(problems).toHaveLength(invalid.length);
    for (const [name, value, allowed] of invalid) {
      const line = problems.find((problem) => problem.startsWith(name));
      expect(line).toContain(`"${value}"`);
      expect(line).toContain(allowed);
    }
  });

  test('each invalid secret stops startup with exit code 78 without showing its value', async () => {
    const names = ['GW_ADMIN_KEY', 'GW_SECRET_KEY', 'DATABASE_URL'];
    const env = Object.fromEntries(names.map((name) => [name, 'hunter2:hunter2']));
    const problems = await refusals({ ...USABLE, ...env });
    expect(problems).toHaveLength(names.length);
    for (const name of names) expect(problems.find((problem) => problem.includes(name))).toContain('. Use ');
    expect(problems.join()).not.toContain('hunter2');
  });

  test('an invalid secret file stops startup with exit code 78', async () => {
    const data = await mkdtemp(join(folder, 'data-'));
    await writeFile(join(data, 'secret-key'), '');
    expect(await refusal({ ...NOWHERE, GW_DATA_DIR: data })).toContain(join(data, 'secret-key'));
  });

  test.each([
    ['secret-key', 'GW_SECRET_KEY', ''],
    ['secret-key', 'GW_SECRET_KEY', 'c2hvcnQ='],
    ['admin-key', 'GW_ADMIN_KEY', ''],
    ['admin-key', 'GW_ADMIN_KEY', 'x'],
    ['owner-password', 'GW_OWNER_PASSWORD', '\n'],
  ])('a file %s without a valid %s is a problem that names both: %j', async (name, setting, text) => {
    const data = await mkdtemp(join(folder, 'data-'));
    await writeFile(join(data, name), text);
    const problem = await problemOf(() => keepDevelopmentSecrets(Config.from({ ...NOWHERE, GW_DATA_DIR: data })));
    expect(problem).toContain(join(data, name));
    expect(problem).toContain(setting);
  });

  test('startup in production lists all missing settings at once', async () => {
    const required = ['GW_ADMIN_KEY', 'GW_SECRET_KEY', 'DATABASE_URL', 'GW_UPSTREAM_BASE_URL'];
    const unset = Object.fromEntries(required.map((name) => [name, '']));
    const given = { GW_OWNER_PASSWORD: 'hunter2:hunter2', GW_MODEL_REGISTRY: join(folder, 'missing.json') };
    const problems = await refusals({ ...PRODUCTION, ...unset, ...given });
    expect(problems).toHaveLength(required.length + 2);
    for (const name of required)
      expect(problems).toContainEqual(
        expect.stringContaining(`${name} is not set. It is required in production. Use `),
      );
    expect(problems).toContainEqual(expect.stringMatching(/^GW_OWNER_EMAIL is not set/));
    expect(problems).toContainEqual(expect.stringMatching(/^GW_MODEL_REGISTRY .*missing\.json.*ENOENT/));
    expect(problems.join()).not.toContain('hunter2');
  });

  test('startup reports all missing, invalid and contradictory settings and invalid files at once', async () => {
    const env = { PORT: '80x', GW_DOCS: 'yes', GW_OWNER_EMAIL: 'a@b.example', GW_MODEL_REGISTRY: file };
    const secret = { GW_ADMIN_KEY: '', GW_UPSTREAM_API_KEY: 'hunter2', GW_SECRET_KEY_FILE: join(folder, 'none') };
    const problems = await refusals({ ...PRODUCTION, ...env, ...secret, GW_SECRET_KEY: '' });
    expect(problems.map((problem) => /^\w+/.exec(problem)![0]).toSorted()).toEqual([
      'GW_ADMIN_KEY',
      'GW_DOCS',
      'GW_MODEL_REGISTRY',
      'GW_OWNER_PASSWORD',
      'GW_SECRET_KEY_FILE',
      'GW_UPSTREAM_API_KEY',
      'PORT',
    ]);
    expect(problems).toContainEqual(expect.stringMatching(/^GW_OWNER_PASSWORD is not set/));
    expect(problems).toContainEqual(
      expect.stringMatching(/^GW_MODEL_REGISTRY .*models\[0\]\.category must be one of chat, /),
    );
    expect(problems.join()).not.toContain('hunter2');
  });

  test('a GW_DATA_DIR that is not a folder stops startup with exit code 78', async () => {
    const given = { ...USABLE, GW_DATA_DIR: file };
    const problem = await problemOf(() => keepDevelopmentSecrets(Config.from({ ...given, GW_ADMIN_KEY: '' })));
    expect(problem).toMatch(
      /^GW_DATA_DIR cannot be used: .*file.*: E[A-Z]+\. Set another folder, or set GW_ADMIN_KEY, /,
    );
    expect(await refusal({ ...given, DATABASE_URL: '' })).toMatch(/GW_DATA_DIR/);
  });
});

describe('unusable addresses', () => {
  let taken: Server;

  beforeAll(async () => {
    taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void taken.close());

  test('equal values of PORT and GW_METRICS_PORT stop startup', async () => {
    const { port } = taken.address() as AddressInfo;
    expect(await addressProblem({ PORT: String(port), GW_METRICS_PORT: String(port) })).toBe(
      `PORT and GW_METRICS_PORT are both ${port}. Set them to different ports.`,
    );
  });

  test('a GW_METRICS_PORT in use stops startup with exit code 78', async () => {
    const { port } = taken.address() as AddressInfo;
    const line = await refusal({ ...USABLE, GW_METRICS_PORT: String(port) });
    expect(line).toMatch(new RegExp(`^GW_METRICS_PORT ${port} is already in use on 127\\.0\\.0\\.1\\. `));
  });

  test('a PORT in use stops startup before secrets or a database are created', async () => {
    const { port } = taken.address() as AddressInfo;
    const data = join(folder, 'untouched');
    const line = await refusal({ PORT: String(port), GW_DATA_DIR: data });
    expect(line).toMatch(new RegExp(`^PORT ${port} is already in use`));
    expect(existsSync(data)).toBe(false);
  });

  test('a HOST or GW_METRICS_HOST of another machine stops startup with exit code 78', async () => {
    expect(await refusal({ ...USABLE, HOST: '192.0.2.1' })).toMatch(/^HOST 192\.0\.2\.1 /);
    const metrics = { GW_METRICS_HOST: '192.0.2.1', GW_METRICS_PORT: '0' };
    expect(await addressProblem(metrics)).toMatch(/^GW_METRICS_HOST 192\.0\.2\.1 /);
  });
});

test('unknown settings and a guessable secret cause one warning each, without their values', async () => {
  const redis = 'redis://gateway:hunter2@127.0.0.1:1';
  const weak = `admin_gw_${'changeme'.repeat(4)}`;
  const unknown = { GW_DATABSE_POOL: 'hunter2', REDIS_URL: redis };
  const gateway = GatewayProcess.launch({ ...USABLE, ...unknown, GW_ADMIN_KEY: weak, GW_WORKERS: '2' });
  await gateway.whenListening();
  const warnings = () => gateway.stderr.split('\n').filter((line) => line.startsWith('warning: '));
  await until(() => Promise.resolve(warnings().length > 2));
  expect(warnings()).toEqual([
    'warning: REDIS_URL is ignored: the gateway counts requests in PostgreSQL only. Remove it.',
    'warning: GW_DATABSE_POOL is not a setting and has no effect. Did you mean GW_DATABASE_POOL? See docs/settings.md for all settings.',
    expect.stringMatching(/^warning: GW_ADMIN_KEY is easy to guess .* Production does not start with it\.$/),
  ]);
  expect(gateway.stderr).not.toMatch(/hunter2|changeme/);
});

const TOO_OLD = oldNode();

if (TOO_OLD !== undefined) {
  describe('outdated Node versions', () => {
    test('an outdated Node stops startup with exit code 78 and one line that names the required version', async () => {
      const { code } = await transformFile(join(import.meta.dirname, '../../src/main.ts'), {
        module: { type: 'es6' },
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
      });
      const program = join(folder, 'main.mjs');
      await writeFile(program, code);
      const { status, stdout, stderr } = spawnSync(TOO_OLD, [program], { encoding: 'utf8', env: {} });
      expect({ status, stdout }).toEqual({ status: 78, stdout: '' });
      expect(stderr).toMatch(/^[^\n]*26\.10[^\n]*\n$/);
    });
  });
}

/** Returns a Node that `engines` does not allow, if this machine has one. */
function oldNode(): string | undefined {
  const places = (process.env.PATH ?? '').split(delimiter).map((place) => join(place, 'node'));
  return places.find((node) => {
    try {
      return Number(/^v(\d+)/.exec(execFileSync(node, ['--version'], { encoding: 'utf8', stdio: 'pipe' }))?.[1]) < 26;
    } catch {
      return false;
    }
  });
}

test('each unknown setting causes one JSON line in production', async () => {
  const gateway = GatewayProcess.launch({ ...PRODUCTION, GW_DATABSE_POOL: '5', PORT: '80x' });
  await gateway.ended;
  const [warning] = gateway.stderr.split('\n').map((line) => JSON.parse(line || '{}') as Record<string, unknown>);
  expect(warning).toMatchObject({ level: 40, msg: expect.stringContaining('Did you mean GW_DATABASE_POOL?') });
});
