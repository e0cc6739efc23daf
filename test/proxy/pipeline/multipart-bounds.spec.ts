import { describe, expect, test } from '@jest/globals';
import {
  BLANK_BYTES_MAX,
  HEAD_BYTES_MAX,
  PARTS_MAX,
  TEXT_BYTES_MAX,
} from '../../../src/proxy/pipeline/body/multipart-form.js';
import { file, formOf, text } from '../../support/multipart-forms.js';
import { WHOLE, REFUSED, parse, fieldsOf, refusalOf, head } from './multipart-reading.js';

describe('limits of multipart forms', () => {
  test('forms are limited in parts, part headers, text, and whitespace at each end', () => {
    expect([PARTS_MAX, HEAD_BYTES_MAX, TEXT_BYTES_MAX]).toEqual([1_000, 8_192, 1_048_576]);
    const blanks = '\r\n'.repeat(BLANK_BYTES_MAX / 2);
    const form = WHOLE.trimEnd();
    expect(parse(blanks + form + blanks)).toEqual({ a: 'b' });
    expect(refusalOf(() => parse(`\r\n${blanks}${form}`))).toBe(REFUSED);
    expect(refusalOf(() => parse(`${form}${blanks} `))).toBe(REFUSED);
  });

  test(`${PARTS_MAX} parts, or part headers of ${HEAD_BYTES_MAX} bytes, are accepted`, () => {
    const many = Array.from({ length: PARTS_MAX }, (_, at) => text(`f${at}`, 'x'));
    expect(Object.keys(fieldsOf(...many))).toHaveLength(PARTS_MAX);
    const lines = 'Content-Disposition: form-data; name="a"\r\nX-A: ';
    expect(head(lines.padEnd(HEAD_BYTES_MAX, 'a'))()).toEqual({ a: 'x' });
    expect(refusalOf(head(lines.padEnd(HEAD_BYTES_MAX + 1, 'a')))).toBe(REFUSED);
  });

  test('all text fields together are limited to 1 MiB, and the error names the excess field', () => {
    expect(fieldsOf(text('a', 'x'.repeat(TEXT_BYTES_MAX - 1)), text('b', 'y'))).toMatchObject({ b: 'y' });
    const tooMuch = () => fieldsOf(text('a', 'x'.repeat(TEXT_BYTES_MAX)), text('b', 'y'));
    expect(refusalOf(tooMuch)).toBe('invalid_value b');
    expect(tooMuch).toThrow('all text fields together are limited to 1048576 bytes');
    expect(fieldsOf(file('a', Buffer.alloc(TEXT_BYTES_MAX + 1)))).toMatchObject({ a: { bytes: TEXT_BYTES_MAX + 1 } });
  });

  // A search that backtracked at each hyphen would not end.
  test('25 MiB of near-boundaries are parsed', () => {
    const boundary = `${'-'.repeat(69)}a`;
    const body = formOf([file('file', Buffer.alloc(25 * 1024 * 1024, '-'))], boundary);
    expect(parse(body, boundary)).toHaveProperty('file');
  });
});
