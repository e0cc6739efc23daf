import { describe, expect, test } from '@jest/globals';
import { fieldChanges } from '../../src/audit/audit-log.js';

const FIELDS = { name: 'name', rpmLimit: 'rpm_limit', models: 'allowed_models', expiresAt: 'expires_at' } as const;

const NEW_YEAR = '2030-01-01T00:00:00.000Z';
const BEFORE = {
  id: '1',
  name: 'ci',
  rpmLimit: 0,
  models: ['a', 'b'],
  expiresAt: new Date(NEW_YEAR),
  hash: 'never recorded',
};

describe('fieldChanges', () => {
  test('an audited change contains only differing fields, by their public names', () => {
    expect(fieldChanges(FIELDS, BEFORE, { name: 'cd', rpmLimit: 0 })).toEqual({ name: { old: 'ci', new: 'cd' } });
    expect(fieldChanges(FIELDS, BEFORE, { rpmLimit: 1, models: ['b', 'a'] })).toEqual({
      rpm_limit: { old: 0, new: 1 },
      allowed_models: { old: ['a', 'b'], new: ['b', 'a'] },
    });
  });

  test('an audited change distinguishes 0, "", null and undefined', () => {
    expect(fieldChanges(FIELDS, BEFORE, { rpmLimit: null, name: '' })).toEqual({
      name: { old: 'ci', new: '' },
      rpm_limit: { old: 0, new: null },
    });
    expect(fieldChanges(FIELDS, BEFORE, { rpmLimit: undefined })).toEqual({});
    expect(fieldChanges(FIELDS, { name: null }, { name: '' })).toEqual({ name: { old: null, new: '' } });
  });

  test('all set fields of a created or deleted object are audited', () => {
    expect(fieldChanges(FIELDS, null, { name: 'ci', rpmLimit: 0, models: null })).toEqual({
      name: { old: null, new: 'ci' },
      rpm_limit: { old: null, new: 0 },
    });
    expect(fieldChanges(FIELDS, { ...BEFORE, models: null }, null)).toEqual({
      name: { old: 'ci', new: null },
      rpm_limit: { old: 0, new: null },
      expires_at: { old: BEFORE.expiresAt, new: null },
    });
  });

  test('audited dates are serialized as ISO 8601', () => {
    const changes = fieldChanges(FIELDS, BEFORE, { expiresAt: null });
    expect(JSON.parse(JSON.stringify(changes))).toEqual({ expires_at: { old: NEW_YEAR, new: null } });
    expect(fieldChanges(FIELDS, BEFORE, { expiresAt: new Date(NEW_YEAR) })).toEqual({});
  });
});
