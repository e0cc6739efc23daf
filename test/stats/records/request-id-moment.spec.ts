import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { newRequestId } from '../../../src/request-context/request-id.js';
import { requestIdMoment } from '../../../src/stats/records/request-id-moment.rules.js';

test('a request id tells the millisecond in which it was given, in either case', () => {
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

test('an id of another version or variant, or of a time that no database holds, tells none', () => {
  const id = newRequestId(Date.now());
  for (const other of [
    ...[randomUUID(), '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    ...['1', '6', '8'].map((version) => id.slice(0, 14) + version + id.slice(15)),
    ...['0', '7', 'c', 'f'].map((variant) => id.slice(0, 19) + variant + id.slice(20)),
    newRequestId(Date.parse('9999-12-31T23:59:59.999Z') + 1),
    newRequestId(2 ** 48 - 1),
  ])
    expect([other, requestIdMoment(other)]).toEqual([other, null]);
});
