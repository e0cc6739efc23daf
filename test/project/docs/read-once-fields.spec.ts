import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { MODEL_FIELDS, NESTING_FIELDS } from '../../../src/platform/json/model-fields.data.js';
import { READ_ONCE, READ_ONCE_INSIDE } from '../../../src/platform/json/read-once.data.js';

const SECTION = /### Which fields must have one reading\?\n([^]*?)\n### /;

test('docs/behaviour/ambiguous-bodies.md lists the fields that must have one reading', () => {
  const section = SECTION.exec(readFileSync('docs/behaviour/ambiguous-bodies.md', 'utf8'))![1]!;
  const rows = new Map(
    [...section.matchAll(/^\| ([^|]*?) +\| (`.*`) +\|$/gm)].map(([, purpose, fields]) => [
      purpose!,
      [...fields!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
    ]),
  );
  const once = Object.values(READ_ONCE).flat();
  const naming = ['model', ...MODEL_FIELDS];
  expect(Object.fromEntries(rows)).toEqual({
    ...READ_ONCE,
    'fields that name models': naming,
    'fields whose content can name models': [...NESTING_FIELDS].filter((name) => ![...naming, ...once].includes(name)),
    'names within these fields': READ_ONCE_INSIDE,
  });
});
