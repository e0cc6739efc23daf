import { expect, test } from '@jest/globals';
import { pageOf } from '../support/named-files.js';

const { text, named, missing, rows } = pageOf('threat-model.md');

test('every defence and every test that the threat model names is there', () => {
  expect(named.length).toBeGreaterThan(80);
  expect(missing).toEqual([]);
});

test('every threat in its tables has a test, but where it says why not', () => {
  const untested = rows.filter((line) => !line.includes('`test/')).map((line) => line.split('|')[2]!.trim());
  const assets = text.split('## Trust boundaries')[0]!;
  expect(untested.filter((cell) => !assets.includes(cell))).toEqual(['read or change upstream requests']);
});
