import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from '@jest/globals';
import { chartSettings, settingsSchema } from '../../../src/platform/config/settings-documents.js';
import { SETTINGS, type Setting } from '../../../src/platform/config/settings.data.js';

const CHART = 'deploy/helm/inference-gateway';
const read = (path: string) => JSON.parse(readFileSync(`${CHART}/${path}`, 'utf8'));
const all = Object.values(SETTINGS) as readonly Setting<unknown>[];
const { properties } = settingsSchema();

/** These YAML values are valid for some settings and invalid for others. */
const SAMPLES: unknown[] = [
  -1,
  0,
  0.01,
  0.5,
  1,
  1.5,
  2,
  10,
  11,
  80,
  256,
  257,
  1000,
  65536,
  600_000,
  9_500_000,
  1e12,
  1e15,
  true,
  false,
  'on',
  'off',
  'true',
  'auto',
  'text',
  'two words',
  'ä',
  ' ',
  '\n',
  '1',
  'production',
  'strict',
  'any',
  'closed',
  'https://provider.example/v1',
  'http://[::1]:8000/v1',
  'https://',
  'https:provider',
  'ftp://x/v1',
  'postgres://db/g',
  '10.0.0.0/8',
  '10.0.0.0/8, ::1',
  '10.0.0.0/8,',
  'a@example.com',
  'a@b@c',
  '0.0.0.0',
  '::',
  'redis://cache:6379',
  'batches',
  'batches,fine_tuning,batches',
  'batches, fine_tuning',
  '2.50/10',
  '0/0',
  '2.50',
  '1/2/3',
  '-1/2',
  // `helm --set` passes fractions as text, and `--set-string` passes everything as text.
  '0',
  '0.5',
  '.5',
  '1.5',
  '00',
  '-1',
  '1e3',
  '257',
  '600000',
  '9500000',
  '1000000000000001',
  'false',
  '0 3 * * *',
  '0 0 3 * * *',
  '0 3 * *',
  '* * * * * * *',
  '/etc/models.json',
  '["/opt/password", "{user}", ""]',
  '[""]',
  '[]',
  'a'.repeat(300),
];

/** Only the pod can check whether a file is readable. */
const namesFile = ([env]: readonly [string, unknown]) =>
  /\b(readable|can read)\b/.test(all.find((setting) => setting.env === env)!.kind.allowed);

/** Returns a check like the chart's: its templates check the bounds of numbers, which the schema cannot do for text. */
function chartAccepts(env: string, schema: object): (value: unknown) => boolean {
  const valid = new Ajv({ allowUnionTypes: true }).compile(schema);
  const [min, max] = chartSettings().bounds[env] ?? [-Infinity, Infinity];
  return (value) => valid(value) && (value === 'auto' || !(Number(value) < min || Number(value) > max));
}

/** Converts a value to text as the chart's templates do. */
function text(env: string, value: unknown): string {
  if (typeof value !== 'boolean' || !chartSettings().onOff.includes(env)) return String(value);
  return value ? 'on' : 'off';
}

describe('settings in the Helm chart', () => {
  test('the schema of the chart matches the settings (npm run docs:deploy)', () => {
    expect(read('values.schema.json').$defs.settings).toEqual(settingsSchema());
    expect(read('files/settings.json')).toEqual(chartSettings());
  });

  test.each(Object.entries(properties).filter((entry) => !namesFile(entry)))(
    'the gateway accepts every value of %s that the chart accepts',
    (env, schema) => {
      const { kind } = all.find((setting) => setting.env === env)!;
      const accepts = chartAccepts(env, schema);
      const samples = [...SAMPLES, ...((schema as { enum?: unknown[] }).enum ?? [])].filter((value) => value !== null);
      const rejectedByGateway = samples.filter((value) => accepts(value) && kind.parse(text(env, value)) === undefined);
      expect(rejectedByGateway).toEqual([]);
      expect(samples.some((value) => accepts(value) && kind.parse(text(env, value)) !== undefined)).toBe(true);
    },
  );

  test('the chart accepts the default of every setting', () => {
    const withDefault = all.filter(
      ({ env, byDefault }) =>
        env in properties && !['', null].includes(byDefault as string) && !Array.isArray(byDefault),
    );
    const rejected = withDefault.filter(({ env, byDefault }) => !chartAccepts(env, properties[env]!)(byDefault));
    expect(rejected.map(({ env }) => env)).toEqual([]);
  });

  test.each(Object.entries(properties))('the chart accepts null for %s', (_env, schema) => {
    expect(new Ajv({ allowUnionTypes: true }).compile(schema)(null)).toBe(true);
  });

  test.each(Object.entries(chartSettings().bounds))('the chart accepts the bounds of %s as text', (env, bounds) => {
    const accepts = chartAccepts(env, properties[env]!);
    expect(bounds.map((bound) => accepts(String(bound)))).toEqual([true, true]);
    expect(accepts(String(bounds[1] + 1))).toBe(false);
  });

  test('secrets are not chart values', () => {
    const secrets = all.filter(({ secret }) => secret === true).map(({ env }) => env);
    expect(secrets.filter((env) => env in properties)).toEqual([]);
    expect([...chartSettings().secrets.mandatory, ...chartSettings().secrets.optional].sort()).toEqual(secrets.sort());
  });
});
