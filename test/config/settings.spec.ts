import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Config, ConfigError } from '../../src/config/config.js';
import { settingsTable } from '../../src/config/settings-table.js';
import { SETTINGS } from '../../src/config/settings.data.js';

const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://gateway@db/gateway',
  GW_ADMIN_KEY: 'admin_gw_0123456789abcdef0123456789abcdef',
  GW_SECRET_KEY: Buffer.alloc(32).toString('base64'),
  GW_UPSTREAM_BASE_URL: 'https://provider.example/v1',
};

describe('settings', () => {
  test('docs/settings.md says what the code does', () => {
    expect(readFileSync('docs/settings.md', 'utf8')).toBe(settingsTable());
  });

  test('unset and empty mean the default', () => {
    expect(Config.from({ PORT: '', HOST: '' })).toEqual(Config.from({}));
    expect(Config.from({}).port).toBe(8080);
  });

  test.each([
    ['PORT', '65536', /^PORT cannot be "65536": allowed is a whole number from 0 to 65535$/],
    ['PORT', '80 ', /^PORT cannot be "80 "/],
    ['PORT', '0x50', /^PORT/],
    ['GW_LOG_SAMPLE_RATE', '1.1', /a number from 0 to 1/],
    ['GW_MIGRATE', 'yes', /on or off/],
    ['NODE_ENV', 'prod', /development or production or test/],
    ['GW_UPSTREAM_BASE_URL', 'ftp://x/v1', /http:\/\/ or https:\/\//],
    ['GW_TRUST_PROXY', 'true', /GW_TRUST_PROXY/],
    ['GW_ADMIN_KEY', 'a,b,c', /GW_ADMIN_KEY/],
  ])('%s=%s is refused with one line that says what is allowed', (name, value, message) => {
    expect(() => Config.from({ [name]: value })).toThrow(ConfigError);
    expect(() => Config.from({ [name]: value })).toThrow(message);
  });

  test.each(
    Object.values(SETTINGS)
      .filter((setting) => setting.secret)
      .map(({ env }) => env),
  )('what %s holds is never shown', (name) => {
    const secret = 'hunter2-\u0000-hunter2';
    expect(() => Config.from({ [name]: secret })).toThrow(/not shown/);
    expect(() => Config.from({ [name]: secret })).not.toThrow(/hunter2/);
  });

  test.each(Object.keys(PRODUCTION).filter((name) => name !== 'NODE_ENV'))(
    'production does not start without %s',
    (name) => {
      expect(() => Config.from({ ...PRODUCTION, [name]: undefined })).toThrow(new RegExp(`^${name} is not set`));
    },
  );

  test('production waits longer for streams to end', () => {
    expect(Config.from({}).shutdownGraceSeconds).toBe(10);
    expect(Config.from(PRODUCTION).shutdownGraceSeconds).toBe(600);
    expect(Config.from({ ...PRODUCTION, GW_SHUTDOWN_GRACE_SECONDS: '0' }).shutdownGraceSeconds).toBe(0);
  });

  test('two admin keys are taken while one replaces the other', () => {
    const keys = ['admin_gw_0123456789abcdef0123456789abcdef', 'admin_gw_fedcba9876543210fedcba9876543210'];
    expect(Config.from({ GW_ADMIN_KEY: keys.join(',') }).adminKeys).toEqual(keys);
  });
});
