import { newRequestId } from '../../../src/platform/request-context/request-id.js';
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { requestIdMoment } from '../../../src/stats/reports/request-logs.read-model.js';

test('request IDs are unique version 7 UUIDs whose random digits are independent of each other', () => {
  const ids = Array.from({ length: 8_000 }, () => newRequestId(Date.UTC(2026, 7, 1)));
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids.map((id) => id.slice(15))).size).toBe(ids.length);
  const random = [15, 16, 17, 19, 20, 21, 22, ...Array.from({ length: 12 }, (_, at) => 24 + at)];
  for (const [nth, one] of random.entries()) {
    for (const other of random.slice(nth + 1)) {
      const pairs = new Set(ids.map((id) => id.charAt(one) + id.charAt(other)));
      expect([one, other, pairs.size]).toEqual([one, other, one === 19 || other === 19 ? 64 : 256]);
    }
  }
});

test('requestIdMoment returns the millisecond of a request ID in lower or upper case', () => {
  for (const iso of [
    '1970-01-01T00:00:00.000Z',
    '2024-02-29T23:59:59.999Z',
    '2026-08-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
  ]) {
    const id = newRequestId(Date.parse(iso));
    expect([requestIdMoment(id)?.toISOString(), requestIdMoment(id.toUpperCase())?.toISOString()]).toEqual([iso, iso]);
  }
});

test('requestIdMoment returns null for other UUID versions or variants, and for times after the year 9999', () => {
  const id = newRequestId(Date.now());
  for (const other of [
    randomUUID(),
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    ...['1', '6', '8'].map((version) => id.slice(0, 14) + version + id.slice(15)),
    ...['0', '7', 'c', 'f'].map((variant) => id.slice(0, 19) + variant + id.slice(20)),
    newRequestId(Date.parse('9999-12-31T23:59:59.999Z') + 1),
    newRequestId(2 ** 48 - 1),
  ])
    expect([other, requestIdMoment(other)]).toEqual([other, null]);
});
