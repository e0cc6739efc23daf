import { expect, test } from '@jest/globals';
import { pageOf } from '../support/named-files.js';

const { text, named, missing, rows } = pageOf('threat-model.md');

test('every defense and test that the threat model names exists', () => {
  expect(named.length).toBeGreaterThan(80);
  expect(missing).toEqual([]);
});

test('every threat in the threat model has a test, except the documented exception', () => {
  const untested = rows.filter((line) => !line.includes('`test/')).map((line) => line.split('|')[2]!.trim());
  const assets = text.split('## Trust boundaries')[0]!;
  expect(untested.filter((cell) => !assets.includes(cell))).toEqual(['read or change upstream requests']);
});
