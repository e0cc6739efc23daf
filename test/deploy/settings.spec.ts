import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from '@jest/globals';
import { chartSettings, settingsSchema } from '../../src/config/generated-settings.js';
import { SETTINGS, type Setting } from '../../src/config/settings.data.js';

const CHART = 'deploy/helm/inference-gateway';
const read = (path: string) => JSON.parse(readFileSync(`${CHART}/${path}`, 'utf8'));
const all = Object.values(SETTINGS) as readonly Setting<unknown>[];
const { properties } = settingsSchema();

/** As somebody may write them in YAML: right for one setting, wrong for another. */
const SAMPLES: unknown[] = [
  ...[-1, 0, 0.01, 0.5, 1, 1.5, 2, 10, 11, 80, 256, 257, 1000, 65536, 600_000, 9_500_000, 1e12, 1e15],
  ...[
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
  ],
  ...[
    'https://provider.example/v1',
    'http://[::1]:8000/v1',
    'https://',
    'https:provider',
    'ftp://x/v1',
    'postgres://db/g',
  ],
  ...['10.0.0.0/8', '10.0.0.0/8, ::1', '10.0.0.0/8,', 'a@example.com', 'a@b@c', '0.0.0.0', '::', 'redis://cache:6379'],
  ...['batches', 'batches,fine_tuning,batches', 'batches, fine_tuning'],
  ...['0 3 * * *', '0 0 3 * * *', '0 3 * *', '* * * * * * *', '/etc/models.json', 'a'.repeat(300)],
];

/** What the chart's templates make of a value. */
function text(env: string, value: unknown): string {
  if (typeof value !== 'boolean' || !chartSettings().onOff.includes(env)) return String(value);
  return value ? 'on' : 'off';
}

describe('the chart and the settings', () => {
  test('the chart has the schema that the settings make (npm run docs:deploy)', () => {
    expect(read('values.schema.json').$defs.settings).toEqual(settingsSchema());
    expect(read('files/settings.json')).toEqual(chartSettings());
  });

  test.each(Object.entries(properties))('what the chart takes for %s, the gateway takes', (env, schema) => {
    const { kind } = all.find((setting) => setting.env === env)!;
    const takes = new Ajv().compile(schema);
    const samples = [...SAMPLES, ...((schema as { enum?: unknown[] }).enum ?? [])];
    const refusedLater = samples.filter((value) => takes(value) && kind.parse(text(env, value)) === undefined);
    expect(refusedLater).toEqual([]);
    expect(samples.some((value) => takes(value) && kind.parse(text(env, value)) !== undefined)).toBe(true);
  });

  test('defaults are allowed as they are', () => {
    const withDefault = all.filter(
      ({ env, byDefault }) => env in properties && !['', null].includes(byDefault as string),
    );
    const refused = withDefault.filter(({ env, byDefault }) => !new Ajv().compile(properties[env]!)(byDefault));
    expect(refused.map(({ env }) => env)).toEqual([]);
  });

  test('no secret has a place among the values', () => {
    const secrets = all.filter(({ secret }) => secret === true).map(({ env }) => env);
    expect(secrets.filter((env) => env in properties)).toEqual([]);
    expect([...chartSettings().secrets.mandatory, ...chartSettings().secrets.optional].sort()).toEqual(secrets.sort());
  });
});
