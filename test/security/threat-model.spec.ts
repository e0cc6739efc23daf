import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const PROJECT = join(import.meta.dirname, '../..');
const page = readFileSync(join(PROJECT, 'docs/threat-model.md'), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('|') && line.includes('`test/'));

test('every defence and every test that the threat model names is there', () => {
  const named = [...page.matchAll(/`((?:src|test|tools|dashboard)\/[^`]*)`/g)].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(80);
  expect(named.filter((path) => !existsSync(join(PROJECT, path)))).toEqual([]);
});

test('every threat in its tables has a test, but where it says why not', () => {
  const threats = page.split('\n').filter((line) => /^\|(?! ---)/.test(line) && !/^\| (what|tries|who) /.test(line));
  const untested = threats.filter((line) => !rows.includes(line)).map((line) => line.split('|')[2]!.trim());
  const assets = page.split('## Where trust ends')[0]!;
  expect(untested.filter((cell) => !assets.includes(cell))).toEqual(['to read or change what goes upstream']);
});
