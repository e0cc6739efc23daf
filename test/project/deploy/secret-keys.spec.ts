import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from '@jest/globals';
import { chartSettings, secretKeysSchemas, settingsSchema } from '../../../src/platform/config/settings-documents.js';

const schema = JSON.parse(readFileSync('deploy/helm/inference-gateway/values.schema.json', 'utf8'));
const { secretKeys, databaseKeys } = secretKeysSchemas();
const { secrets, files } = chartSettings();
const reference = { name: 'my-db-app', key: 'uri' };

function accepts(map: 'secretKeys' | 'databaseKeys', value: unknown): boolean {
  const { definitions, $defs } = schema;
  return new Ajv({ allowUnionTypes: true }).compile({ definitions, $defs, $ref: `#/$defs/${map}` })(value);
}

describe('settings from Secrets in the Helm chart', () => {
  test('the schema of the chart lists the settings that can come from a Secret (npm run docs:deploy)', () => {
    expect(schema.$defs).toMatchObject({ secretKeys, databaseKeys });
    expect(Object.keys(schema.$defs.secretKeys.properties)).toEqual(Object.keys(secretKeys.properties));
  });

  test.each([...secrets.mandatory, ...secrets.optional, ...files])('the chart takes %s from any Secret', (env) => {
    expect(accepts('secretKeys', { [env]: reference })).toBe(true);
  });

  test.each(['PGHOST', 'PGPORT', 'PGDATABASE', 'PGUSER', 'PGPASSWORD', 'PGSSLMODE', 'PGSSLROOTCERT', 'DATABASE_URL'])(
    'the gateway pods and migrations can take %s from a Secret',
    (env) => {
      expect(accepts('secretKeys', { [env]: reference })).toBe(true);
      expect(accepts('databaseKeys', { [env]: reference })).toBe(true);
    },
  );

  test('migrations take no setting from a Secret that is not for the database', () => {
    const names = Object.keys(databaseKeys.properties);
    expect(names.filter((name) => !/^(DATABASE_URL|PG[A-Z]+|GW_DATABASE_PASSWORD_[A-Z]+)$/.test(name))).toEqual([]);
  });

  test('the chart accepts null, and rejects a reference without a key', () => {
    expect(accepts('secretKeys', { DATABASE_URL: null })).toBe(true);
    expect(accepts('secretKeys', { DATABASE_URL: { name: 'my-db-app' } })).toBe(false);
  });

  test('every file setting is a setting of the chart', () => {
    expect(files.filter((env) => !(env in settingsSchema().properties))).toEqual([]);
    expect(files).toContain('GW_UPSTREAM_CLIENT_KEY_FILE');
  });
});
