import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Config, ConfigError } from '../../../src/platform/config/config.js';
import { settingsTable } from '../../../src/platform/config/settings-documents.js';
import { SETTINGS } from '../../../src/platform/config/settings.data.js';
import { ADMIN_KEY, SECRET_KEY } from '../../support/gateway.js';

const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://gateway@db/gateway',
  GW_ADMIN_KEY: ADMIN_KEY,
  GW_SECRET_KEY: SECRET_KEY,
  GW_UPSTREAM_BASE_URL: 'https://provider.example/v1',
};

describe('settings', () => {
  test('docs/settings.md matches the code', () => {
    expect(readFileSync('docs/settings.md', 'utf8')).toBe(settingsTable());
  });

  test('unset and empty settings have their default', () => {
    expect(Config.from({ PORT: '', HOST: '' })).toEqual(Config.from({}));
    expect(Config.from({}).port).toBe(8080);
  });

  test('exporting metrics without a collector is a problem that names both settings', () => {
    const env = { OTEL_METRICS_EXPORTER: 'otlp' };
    expect(() => Config.from(env)).toThrow(
      'OTEL_METRICS_EXPORTER is otlp, but OTEL_EXPORTER_OTLP_ENDPOINT is not set. Set it, or set OTEL_METRICS_EXPORTER to none.',
    );
    expect(Config.from({ ...env, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }).metricsOn).toBe(true);
  });

  const profiled = ({ validation, responsesTools, upstreamErrors, routes }: Config) =>
    [validation, responsesTools, upstreamErrors, routes].join(' ');

  test.each([
    [{}, 'strict function wrap specified'],
    [{ GW_PROFILE: 'specification' }, 'strict function wrap specified'],
    [{ GW_PROFILE: 'current' }, 'provider any relay all'],
    [{ GW_PROFILE: 'current', GW_VALIDATION: 'lenient' }, 'lenient any relay all'],
    [{ GW_ROUTES: 'all' }, 'strict function wrap all'],
  ])('GW_PROFILE sets the defaults of other settings, which override it: %o', (env, values) => {
    expect(profiled(Config.from(env))).toBe(values);
  });

  test.each([
    ['', null],
    ['batches', ['batches']],
    ['fine_tuning,batches,batches', ['batches', 'fine_tuning']],
  ])('GW_UNBILLED_ROUTES=%s enables %j', (text, routes) => {
    expect(Config.from({ GW_UNBILLED_ROUTES: text }).unbilledRoutes).toEqual(routes);
  });

  test.each([
    ['', null],
    ['3/15', { input: 3_000_000_000, output: 15_000_000_000 }],
    ['0.0375/0', { input: 37_500_000, output: 0 }],
    ['999999.999999/0.000001', { input: 999_999_999_999_000, output: 1000 }],
  ])('GW_UNPRICED_COST=%s is %j in nano-dollars per million tokens', (text, prices) => {
    expect(Config.from({ GW_UNPRICED_COST: text }).unpricedCost).toEqual(prices);
  });

  test.each<[string, string, RegExp]>([
    ...['3', '3/', '/15', '-3/15', '3/15/1', '3,5/1', '1000000/1', '0.0000001/1', '03/1', '1e3/1', 'a/b'].map(
      (value): [string, string, RegExp] => [
        'GW_UNPRICED_COST',
        value,
        /^GW_UNPRICED_COST cannot be "[^"]+"\. Use two prices in dollars per million tokens/,
      ],
    ),
    ['GW_LIMIT_DEFAULT_OUTPUT', '0', /a whole number from 1 to 1000000/],
    ['GW_UNBILLED_ROUTES', 'batches,evals', /^GW_UNBILLED_ROUTES cannot be "batches,evals"\. Use batches or fine_/],
    ['GW_UNBILLED_ROUTES', 'batches,', /^GW_UNBILLED_ROUTES/],
    ['PORT', '65536', /^PORT cannot be "65536"\. Use a whole number from 0 to 65535\.$/],
    ['PORT', '80 ', /^PORT cannot be "80 "/],
    ['PORT', '0x50', /^PORT/],
    ['GW_LOG_SAMPLE_RATE', '1.1', /a number from 0 to 1/],
    ['GW_MIGRATE', 'yes', /on or off/],
    ['NODE_ENV', 'prod', /development, production, or test/],
    ['GW_UPSTREAM_BASE_URL', 'ftp://x/v1', /http:\/\/ or https:\/\//],
    ...['true', '10.0.0.0/99', '10.0.0.0/0', '::1/129', '300.1.1.1', '::::', '1.2.3.4,::::'].map(
      (value): [string, string, RegExp] => ['GW_TRUST_PROXY', value, /^GW_TRUST_PROXY cannot be "[^"]+"\. Use /],
    ),
    ['GW_UPSTREAM_BASE_URL', 'https://x/v1#a', /without user, password, query or fragment\.$/],
    ['DATABASE_URL', 'postgres://gateway@db', /^DATABASE_URL .*names a database/],
    ['DATABASE_URL', 'postgres://gateway@db/', /^DATABASE_URL .*names a database/],
    ['DATABASE_URL', 'postgres://gateway@db/?sslmode=require', /^DATABASE_URL .*names a database/],
    ['DATABASE_URL', 'postgres://db/x?sslmode=verify-full&sslrootcert=/no/such', /^DATABASE_URL .*sslrootcert/],
    ['DATABASE_URL', 'postgres://gateway:p%w@db/gateway', /^DATABASE_URL .*% as %25/],
    ['GW_ADMIN_KEY', 'a,b,c', /GW_ADMIN_KEY/],
    ['GW_PROFILE', 'latest', /specification or current/],
  ])('%s=%s is rejected with the allowed values', (name, value, message) => {
    expect(() => Config.from({ [name]: value })).toThrow(ConfigError);
    expect(() => Config.from({ [name]: value })).toThrow(message);
  });

  test.each(
    Object.values(SETTINGS)
      .filter((setting) => setting.secret)
      .map(({ env }) => env),
  )('the value of %s is never shown', (name) => {
    const secret = 'hunter2-\u0000-hunter2';
    expect(() => Config.from({ [name]: secret })).toThrow(/not shown/);
    expect(() => Config.from({ [name]: secret })).not.toThrow(/hunter2/);
  });

  test.each(['https://user:hunter2@x/v1', 'https://hunter2@x/v1', 'https://x/v1?key=hunter2', 'ftp://u:hunter2@x'])(
    'a URL that can contain a credential is rejected without showing it: %s',
    (value) => {
      for (const name of ['GW_UPSTREAM_BASE_URL', 'GW_UPSTREAM_MESSAGES_BASE_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT']) {
        expect(() => Config.from({ [name]: value })).toThrow(/not shown/);
        expect(() => Config.from({ [name]: value })).not.toThrow(/hunter2/);
      }
    },
  );

  test('valid address ranges and URLs are accepted', () => {
    const ranges = '10.0.0.0/8, ::1,fd00::/128 , 192.0.2.7/32,::ffff:10.0.0.0/104';
    expect(Config.from({ GW_TRUST_PROXY: ranges }).trustProxy).toEqual(ranges.split(',').map((range) => range.trim()));
    for (const url of ['postgres://u:p%2F@h:1/d?sslmode=require', 'postgresql://h/d?sslmode=verify-full'])
      expect(Config.from({ DATABASE_URL: url }).databaseUrl).toBe(url);
    expect(Config.from({ GW_UPSTREAM_BASE_URL: 'http://[::1]:80/a@b/v1/' }).upstreamBaseUrl).toBe(
      'http://[::1]:80/a@b/v1',
    );
  });

  test.each(Object.keys(PRODUCTION).filter((name) => name !== 'NODE_ENV'))('production requires %s', (name) => {
    expect(() => Config.from({ ...PRODUCTION, [name]: undefined })).toThrow(new RegExp(`^${name} is not set`));
  });

  test('the shutdown grace period is longer in production', () => {
    expect(Config.from({}).shutdownGraceSeconds).toBe(10);
    expect(Config.from(PRODUCTION).shutdownGraceSeconds).toBe(600);
    expect(Config.from({ ...PRODUCTION, GW_SHUTDOWN_GRACE_SECONDS: '0' }).shutdownGraceSeconds).toBe(0);
  });

  test('two admin keys are accepted, for rotation', () => {
    const keys = ['admin_gw_0123456789abcdef0123456789abcdef', 'admin_gw_fedcba9876543210fedcba9876543210'];
    expect(Config.from({ GW_ADMIN_KEY: keys.join(',') }).adminKeys).toEqual(keys);
  });
});
