import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config } from '../../../src/platform/config/config.js';
import { SETTINGS, type Setting } from '../../../src/platform/config/settings.data.js';
import { nearestSetting, unknownSettings } from '../../../src/platform/config/setting-problems.rules.js';
import { ADMIN_KEY as KEY, SECRET_KEY } from '../../support/gateway.js';

const secrets = Object.values<Setting<unknown>>(SETTINGS)
  .filter(({ secret }) => secret)
  .map(({ env }) => env);

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-secrets-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function fileWith(text: string): Promise<string> {
  const file = join(folder, `secret-${Math.random()}`);
  await writeFile(file, text);
  return file;
}

describe('files with secrets', () => {
  test.each(secrets)('%s_FILE is read instead of the variable', async (name) => {
    const missing = join(folder, 'missing');
    expect(() => Config.from({ [`${name}_FILE`]: missing })).toThrow(
      `${name}_FILE names "${missing}", which cannot be read (ENOENT). Use the path of a readable file`,
    );
    const env = { [`${name}_FILE`]: await fileWith('hunter2\u0000hunter2') };
    expect(() => Config.from(env)).toThrow(new RegExp(`^${name} has an invalid value \\(not shown\\)`));
    expect(unknownSettings(env)).toEqual([]);
  });

  test.each(['', '\n', '\r\n'])('one newline at the end is removed: %j', async (end) => {
    expect(Config.from({ GW_ADMIN_KEY_FILE: await fileWith(KEY + end) }).adminKeys).toEqual([KEY]);
  });

  test('only one newline at the end is removed', async () => {
    expect(() => Config.from({ GW_ADMIN_KEY_FILE: 'x' })).toThrow(/ENOENT/);
    const file = await fileWith(`${KEY}\n\n`);
    expect(() => Config.from({ GW_ADMIN_KEY_FILE: file })).toThrow(/^GW_ADMIN_KEY has an invalid value/);
  });

  test('setting both a variable and its file is rejected', async () => {
    expect(() => Config.from({ GW_ADMIN_KEY: KEY, GW_ADMIN_KEY_FILE: 'x' })).toThrow(
      'GW_ADMIN_KEY and GW_ADMIN_KEY_FILE are both set. Set only one of them.',
    );
    expect(Config.from({ GW_ADMIN_KEY: KEY, GW_ADMIN_KEY_FILE: '' }).adminKeys).toEqual([KEY]);
  });

  test.each([
    ['', 'is empty'],
    ['\n', 'is empty'],
    ['x'.repeat(70_000), 'has 70000 bytes'],
  ])('an unusable file is rejected with an error that names it', async (text, problem) => {
    const file = await fileWith(text);
    expect(() => Config.from({ DATABASE_URL_FILE: file })).toThrow(
      `DATABASE_URL_FILE names "${file}", which ${problem}`,
    );
    expect(() => Config.from({ DATABASE_URL_FILE: folder })).toThrow(/which cannot be read \(EISDIR\)/);
  });

  test('production accepts a file for a required secret, and reports an unusable file once', async () => {
    const env = {
      NODE_ENV: 'production',
      DATABASE_URL_FILE: await fileWith('postgres://gateway@db/gateway\n'),
      GW_ADMIN_KEY_FILE: await fileWith(KEY),
      GW_UPSTREAM_BASE_URL: 'https://provider.example/v1',
    };
    const secretKey = await fileWith(SECRET_KEY);
    expect(Config.from({ ...env, GW_SECRET_KEY_FILE: secretKey }).adminKeys).toEqual([KEY]);
    expect(() => Config.from({ ...env, GW_SECRET_KEY_FILE: folder })).toThrow(
      /^GW_SECRET_KEY_FILE [^.]*\. Use [^.]*\.$/,
    );
  });

  test('a misspelled file variable is reported with the closest setting', () => {
    expect(unknownSettings({ GW_ADMIN_KEYS_FILE: 'x' })).toEqual(['GW_ADMIN_KEYS_FILE']);
    expect(nearestSetting('GW_ADMIN_KEYS_FILE')).toBe('GW_ADMIN_KEY_FILE');
  });
});
