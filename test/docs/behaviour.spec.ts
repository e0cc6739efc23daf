import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { AUDIT_ACTIONS } from '../../src/audit/audit-action.data.js';
import { SETTINGS } from '../../src/config/settings.data.js';
import { ERROR_CODES } from '../../src/errors/error-code.data.js';

const read = (file: string) => readFileSync(file, 'utf8');
const page = read('docs/behaviour.md');

describe('docs/behaviour.md', () => {
  test('has a row of each error code, with its status and type, and of no other', () => {
    const rows = page.slice(page.indexOf('\n## Errors\n')).matchAll(/^\| `(\w+)` +\| (\d+) +\| `(\w+)` +\|/gm);
    const told = Array.from(rows, ([, code, status, type]) => [code, Number(status), type]);
    const codes = Object.entries(ERROR_CODES).map(([code, { status, type }]) => [code, status, type]);
    expect(told.toSorted()).toEqual(codes.toSorted());
  });

  test('tells of each action of the audit log', () => {
    const isTold = (action: string) =>
      page.includes(`\`${action}\``) || page.includes(`\`${action.replace(/^\w+/, '')}\``);
    expect(AUDIT_ACTIONS.filter((action) => !isTold(action))).toEqual([]);
  });
});

test('each error code is thrown by a function of the catalogue', () => {
  const catalogue = read('src/errors/catalogue.ts');
  expect(Object.keys(ERROR_CODES).filter((code) => !catalogue.includes(`'${code}'`))).toEqual([]);
});

test('each setting is read by something', () => {
  const sources = globSync('src/**/*.ts', { exclude: ['src/config/settings*.ts'] })
    .map(read)
    .join('\n');
  expect(Object.keys(SETTINGS).filter((name) => !new RegExp(`\\b${name}\\b`).test(sources))).toEqual([]);
});
