import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Config, ConfigError, type Environment } from '../../../../src/platform/config/config.js';
import { ADMIN_KEY, SECRET_KEY } from '../../../support/gateway.js';

const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://gateway@db/gateway',
  GW_ADMIN_KEY: ADMIN_KEY,
  GW_SECRET_KEY: SECRET_KEY,
};

let folder: string;
let path: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-upstreams-'));
  path = join(folder, 'upstreams.yaml');
});
beforeEach(() => write('upstreams: [{name: a, base_url: "https://a.example/v1", credential: {env: A_KEY}}]'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (text: string | Buffer) => writeFileSync(path, text);

function problemsOf(env: Environment): readonly string[] {
  try {
    Config.from(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('GW_UPSTREAMS', () => {
  test('GW_UPSTREAMS is read into the configuration, and copies keep it', () => {
    const { upstreams } = Config.from({ GW_UPSTREAMS: path, A_KEY: 'a-credential' });
    expect(upstreams).toMatchObject({
      path,
      file: { upstreams: [{ name: 'a', credential: { value: 'a-credential' } }] },
    });
    expect(Config.from({}).upstreams).toBeNull();
    const config = Config.from({ GW_UPSTREAMS: path, A_KEY: 'a-credential' });
    expect(config.with({ port: 5 }).upstreams).toBe(config.upstreams);
  });

  test('replaces GW_UPSTREAM_BASE_URL in production', () => {
    expect(problemsOf({ ...PRODUCTION, GW_UPSTREAMS: path, A_KEY: 'a-credential' })).toEqual([]);
    expect(problemsOf(PRODUCTION)).toEqual([
      expect.stringMatching(/^GW_UPSTREAM_BASE_URL is not set\. It is required /),
    ]);
  });

  test('reports its problems together with those of other settings', () => {
    write('upstreams: [{name: A, base_url: "https://a.example", credential: {env: A_KEY}}]');
    expect(problemsOf({ GW_UPSTREAMS: path, PORT: 'x' })).toEqual([
      expect.stringMatching(/^PORT cannot be "x"/),
      expect.stringMatching(/:1:20: upstreams\[0\]\.name: must have 1 to 63 lower-case letters/),
      expect.stringMatching(/:1:72: upstreams\[0\]\.credential\.env: names A_KEY, which is unset or empty\. /),
    ]);
  });

  test.each([
    ['GW_UPSTREAM_BASE_URL', 'https://a.example'],
    ['GW_UPSTREAM_MESSAGES_BASE_URL', 'https://a.example'],
    ['GW_UPSTREAM_API_KEY', 'a-credential'],
    ['GW_UPSTREAM_MESSAGES_API_KEY', 'a-credential'],
  ])('GW_UPSTREAMS together with %s is a problem', (name, value) => {
    expect(problemsOf({ GW_UPSTREAMS: path, A_KEY: 'a-credential', [name]: value })).toEqual([
      `GW_UPSTREAMS and ${name} are both set. Set only one of them.`,
    ]);
  });

  test.each([
    ['missing', null, 'cannot be read (ENOENT)'],
    ['too large', Buffer.alloc(1_048_577, 'a'), 'has 1048577 bytes'],
    ['not text', Buffer.from([0xff, 0xfe]), 'is not UTF-8 text'],
  ])('GW_UPSTREAMS must not be %s', (_, content, reason) => {
    rmSync(path);
    if (content !== null) write(content);
    expect(problemsOf({ GW_UPSTREAMS: path })).toEqual([
      `GW_UPSTREAMS names ${JSON.stringify(path)}, which ${reason}. Use the path of a readable YAML or JSON file of at most 1048576 bytes.`,
    ]);
  });

  test('GW_UPSTREAMS must not be a folder or a device, which could block the process', () => {
    for (const other of [folder, '/dev/zero'])
      expect(problemsOf({ GW_UPSTREAMS: other })).toEqual([expect.stringContaining('which is not a regular file. ')]);
  });

  test('GW_UPSTREAMS is read again with the environment of the start, and the current content is kept', () => {
    const env: Record<string, string> = { GW_UPSTREAMS: path, A_KEY: 'a-credential' };
    const { upstreams } = Config.from(env);
    env['A_KEY'] = 'another-credential';
    expect(upstreams!.read()).toEqual({ file: upstreams!.file });
    write('upstreams: [{name: b, base_url: "https://b.example", credential: {env: A_KEY}}]');
    expect(upstreams!.read()).toMatchObject({
      file: { upstreams: [{ name: 'b', credential: { value: 'a-credential' } }] },
    });
    write('upstreams: []');
    expect(upstreams!.read()).toMatchObject({ problems: [`${path}:1:12: upstreams: is empty. Add an entry.`] });
    expect(upstreams!.file.upstreams[0]!.name).toBe('a');
  });

  test('GW_UPSTREAMS is not read if the primary process has read it', () => {
    const { upstreams } = Config.from({ GW_UPSTREAMS: path, A_KEY: 'a-credential' });
    write('upstreams: []');
    const env = { GW_UPSTREAMS: path, GW_UPSTREAM_BASE_URL: '' };
    expect(Config.from(env, upstreams!.file).upstreams!.file).toBe(upstreams!.file);
  });
});
