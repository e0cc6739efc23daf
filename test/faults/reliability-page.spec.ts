import { expect, test } from '@jest/globals';
import { pageOf } from '../support/named-files.js';
import { FAULTS } from './upstream-faults.data.js';

const { text, named, missing, rows } = pageOf('reliability.md');

test('every spec that the page on reliability names is there', () => {
  expect(named.length).toBeGreaterThan(80);
  expect(missing).toEqual([]);
});

test('every promise and every fault in its tables names the specs that hold it', () => {
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.filter((line) => !/`test\/[^`]*\.spec\.ts`[^|]*\|$/.test(line))).toEqual([]);
});

test('it tells the number of upstream faults that are tested', () => {
  const told = [...text.matchAll(/(\d+) (?:upstream )?faults/g)].map(([, number]) => Number(number));
  expect(told).toEqual([FAULTS.length, FAULTS.length]);
});
