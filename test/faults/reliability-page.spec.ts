import { expect, test } from '@jest/globals';
import { pageOf } from '../support/named-files.js';
import { FAULTS } from './upstream-faults.data.js';

const { text, named, missing, rows } = pageOf('reliability.md');

test('every spec that reliability.md names exists', () => {
  expect(named.length).toBeGreaterThan(80);
  expect(missing).toEqual([]);
});

test('every guarantee and fault in reliability.md names the specs that prove it', () => {
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.filter((line) => !/`test\/[^`]*\.spec\.ts`[^|]*\|$/.test(line))).toEqual([]);
});

test('reliability.md states the number of tested upstream faults', () => {
  const stated = [...text.matchAll(/(\d+) (?:upstream )?faults/g)].map(([, number]) => Number(number));
  expect(stated).toEqual([FAULTS.length, FAULTS.length]);
});
