import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Config, ConfigError } from '../../../../src/platform/config/config.js';
import { guessableSecrets } from '../../../../src/platform/config/setting-problems.rules.js';
import { generateAdminKey, generateSecretKey } from '../../../../src/start/development-secrets.js';
import { ADMIN_KEY, SECRET_KEY } from '../../../support/gateway.js';

const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://gateway@db/gateway',
  GW_ADMIN_KEY: ADMIN_KEY,
  GW_SECRET_KEY: SECRET_KEY,
  GW_UPSTREAM_BASE_URL: 'https://provider.example/v1',
};
const EASY = / is easy to guess \(not shown\), because /;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'secret-strength-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    Config.from(env);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
}
const secretOf = (text: string): string => Buffer.from(text.padEnd(32, text).slice(0, 32), 'latin1').toString('base64');

const GUESSABLE = [
  'changemechangemechangeme',
  'change-me-change-me-change-me',
  'CHANGE_ME_PLEASE_CHANGE_ME_PLEASE',
  'adminadminadminadminadmin',
  'P4ssw0rd-P4ssw0rd-P4ssw0rd',
  '0'.repeat(32),
  'aaaaaaaaaaaabbbbbbbbbbbbcccccccc',
  '0123456789abcdef0123456789abcdef',
  'abcdefghijklmnopqrstuvwxyz',
  '9876543210zyxwvutsrqponmlkjihgfedcba',
  'deadbeefdeadbeefdeadbeefdeadbeef',
  'qwertyuiopasdfghjklzxcvbnm123456',
  'abababababababababababababababab',
  'my-super-secret-admin-key-2026',
  'replace_me_with_a_long_random_string',
  'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx',
  '00000000-0000-0000-0000-000000000001',
  'company-gateway-admin-key-production',
];

describe('secrets that are easy to guess', () => {
  test.each(GUESSABLE)('production rejects the admin key and the secret key of %j', (text) => {
    const [admin, ...rest] = problemsOf({ ...PRODUCTION, GW_ADMIN_KEY: `admin_gw_${text}` });
    expect([admin, rest]).toEqual([expect.stringMatching(EASY), []]);
    expect(admin).toMatch(/^GW_ADMIN_KEY .* Generate a new value with `echo "admin_gw_\$\(openssl rand -hex 24\)"`\.$/);
    expect(admin).not.toContain(text);
    const [secret] = problemsOf({ ...PRODUCTION, GW_SECRET_KEY: secretOf(text) });
    expect(secret).toMatch(/^GW_SECRET_KEY is easy to guess .* Generate a new value with `openssl rand -base64 32`\.$/);
    expect(secret).not.toContain(secretOf(text));
  });

  test.each([
    ['zeros', Buffer.alloc(32)],
    ['the same byte', Buffer.alloc(32, 7)],
    ['counted bytes', Buffer.from(Array.from({ length: 32 }, (_, at) => at))],
  ])('production rejects a secret key of %s', (_what, bytes) => {
    expect(problemsOf({ ...PRODUCTION, GW_SECRET_KEY: bytes.toString('base64') })).toEqual([
      expect.stringMatching(EASY),
    ]);
  });

  test('both keys of a rotation are checked, in variables and in files', () => {
    const weak = `admin_gw_${'0'.repeat(32)}`;
    for (const keys of [`${weak},${ADMIN_KEY}`, `${ADMIN_KEY},${weak}`])
      expect(problemsOf({ ...PRODUCTION, GW_ADMIN_KEY: keys })).toEqual([expect.stringMatching(EASY)]);
    const file = join(folder, 'admin');
    writeFileSync(file, `${weak}\n`);
    expect(problemsOf({ ...PRODUCTION, GW_ADMIN_KEY: '', GW_ADMIN_KEY_FILE: file })).toEqual([
      expect.stringMatching(EASY),
    ]);
  });

  test('development accepts a guessable secret with a warning', () => {
    const config = Config.from({ GW_ADMIN_KEY: `admin_gw_${'0'.repeat(32)}`, GW_SECRET_KEY: SECRET_KEY });
    expect(guessableSecrets(config)).toEqual([expect.stringMatching(/^GW_ADMIN_KEY is easy to guess/)]);
    expect(guessableSecrets(Config.from({}))).toEqual([]);
  });
});

test.each<[string, () => string]>([
  ['openssl rand -hex 24', () => randomBytes(24).toString('hex')],
  ['openssl rand -hex 32', () => randomBytes(32).toString('hex')],
  ['openssl rand -base64 24', () => randomBytes(24).toString('base64')],
  ['openssl rand -base64 32', () => randomBytes(32).toString('base64')],
  ['uuidgen', () => randomUUID()],
  ['uuidgen in upper case', () => randomUUID().toUpperCase()],
  ['the generator of development secrets', () => generateAdminKey().slice('admin_gw_'.length)],
])('production accepts admin keys from %s', (_generator, generate) => {
  for (let n = 0; n < 1000; n++)
    expect(problemsOf({ ...PRODUCTION, GW_ADMIN_KEY: `admin_gw_${generate()}` })).toEqual([]);
});

test('production accepts random secret keys', () => {
  for (let n = 0; n < 1000; n++) expect(problemsOf({ ...PRODUCTION, GW_SECRET_KEY: generateSecretKey() })).toEqual([]);
});
