import { describe, expect, test } from 'vitest';
import {
  BLANK_BYTES_MAX,
  HEAD_BYTES_MAX,
  PARTS_MAX,
  parseMultipartForm,
  TEXT_BYTES_MAX,
} from '../../src/pipeline/body/multipart-form.js';
import type { GatewayError } from '../../src/errors/gateway-error.js';
import { BOUNDARY, file, formOf, text, type TestPart } from './multipart-forms.js';

const parse = (body: Buffer | string, boundary = BOUNDARY) => parseMultipartForm(Buffer.from(body), boundary);
const fieldsOf = (...parts: TestPart[]) => parse(formOf(parts));
/** Code and param of the refusal. */
function refusalOf(read: () => unknown): string {
  try {
    read();
    return 'read';
  } catch (error) {
    const { code, param } = error as GatewayError;
    return `${code} ${param}`;
  }
}
const WHOLE = formOf([text('a', 'b')]).toString();
const AMBIGUOUS = 'invalid_value model';
const UNREADABLE = 'invalid_value null';
const head =
  (lines: string, content = 'x') =>
  () =>
    fieldsOf({ head: lines, content });
const disposition = (value: string) => head(`Content-Disposition: ${value}`);

describe('a form that two parsers could read differently is invalid_value at model', () => {
  test.each<[string, () => unknown]>([
    ['a second model', () => fieldsOf(text('model', 'a'), text('model', 'a'))],
    ['a second models', () => fieldsOf(text('models', 'a'), text('models', 'b'))],
    ['a model that is a file', () => fieldsOf(file('model', 'a'))],
    ['a model of another type', head('Content-Disposition: form-data; name="model"\r\nContent-Type: application/json')],
    ['model[]', () => fieldsOf(text('model[]', 'a'))],
    ['models[0]', () => fieldsOf(text('models[0]', 'a'))],
    ['Model', () => fieldsOf(text('Model', 'a'))],
    ['a model with a blank', () => fieldsOf(text(' model', 'a'))],
    ['a model percent-encoded', () => fieldsOf(text('mod%65l', 'a'))],
    ['a model with two characters percent-encoded', () => fieldsOf(text('mod%65%6c', 'a'))],
    ['a model percent-encoded in capitals', () => fieldsOf(text('mode%6C', 'a'))],
    ['model[', () => fieldsOf(text('model[', 'a'))],
    ['model[ and a line end', () => fieldsOf(text('model[%0A]', 'a'))],
    ['a name in a name', disposition('form-data; name="a name=model"')],
    ['a name in capitals in a filename', disposition('form-data; name="a"; filename="; NAME=model"')],
    ['a model behind %00', () => fieldsOf(text('model%00x', 'a'))],
    ['a model with a backslash', () => fieldsOf(text('mo\\del', 'a'))],
    ['two names', disposition('form-data; name="a"; name="model"')],
    ['name*', disposition(`form-data; name="a"; name*=utf-8''model`)],
    ['a blank before =', disposition('form-data; name ="model"')],
    ['a blank behind =', disposition('form-data; name= "model"')],
    ['no name', disposition('form-data')],
    ['an empty name', disposition('form-data; name=""')],
    ['a name too long', disposition(`form-data; name="${'n'.repeat(201)}"`)],
    ['NAME', disposition('form-data; NAME="model"')],
    ['another parameter', disposition('form-data; name="a"; size=3')],
    ['a semicolon at the end', disposition('form-data; name="a";')],
    ['a blank at the end', disposition('form-data; name="a" ')],
    ['a tab', disposition('form-data;\tname="a"')],
    ['an open quote', disposition('form-data; name="a')],
    ['an attachment', disposition('attachment; name="model"')],
    ['form-data in other case', disposition('Form-Data; name="model"')],
    ['form-datax', disposition('form-datax; name="model"')],
    ['two filenames', disposition('form-data; name="a"; filename="x"; filename="y"')],
    ['a name in a filename', disposition('form-data; name="a"; filename="; name=model"')],
    ['a name behind an escaped quote', disposition('form-data; name="a"; filename="\\"; name=\\"model"')],
    ['a name in filename*', disposition(`form-data; name="a"; filename="x"; filename*="u''; name = model"`)],
    ['a folded line', head('Content-Disposition: form-data;\r\n name="model"')],
    [
      'two dispositions',
      head('Content-Disposition: form-data; name="a"\r\nContent-Disposition: form-data; name="model"'),
    ],
    ['no disposition', head('Content-Type: text/plain')],
    ['no head at all', () => parse(`--${BOUNDARY}\r\n\r\nx\r\n--${BOUNDARY}--\r\n`)],
    ['a line without colon', head('Content-Disposition: form-data; name="a"\r\nhello')],
    ['a blank before the colon', head('Content-Disposition : form-data; name="a"')],
    [
      'a bare line feed in the head',
      head('X-A: b\nContent-Disposition: form-data; name="model"\r\nContent-Disposition: form-data; name="a"'),
    ],
    ['a bare carriage return', head('Content-Disposition: form-data; name="a"\rX: y')],
    ['a NUL in a name', disposition('form-data; name="a\0b"')],
    ['a tab in a line', head('Content-Disposition: form-data; name="a"\r\nX-A: b\tc')],
    [
      'a bare line feed, then the boundary and all the rest of a part',
      () => fieldsOf(text('a', `b\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="c"\r\n\r\nd`)),
    ],
    ['a NUL', disposition('form-data; name="model\0"')],
    [
      'a head that is not UTF-8',
      () =>
        parse(
          Buffer.from(
            formOf([text('caf#', 'a')])
              .toString()
              .replace('#', '\xe9'),
            'latin1',
          ),
        ),
    ],
    ['base64', head('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64')],
    [
      'quoted-printable',
      head('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: Quoted-Printable'),
    ],
    [
      'an encoding that only begins or ends as a known one',
      head('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: x-7bit'),
    ],
    ['another one', head('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: 7bits')],
    ['content without a line end of its own', () => parse(WHOLE.replace('\r\n\r\nb\r\n', '\r\n\r\n'))],
    ['two bytes behind the end', () => parse(`--${BOUNDARY}--xx`)],
    ['UTF-7', head('Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=utf-7')],
    ['_charset_', () => fieldsOf(text('_charset_', 'utf-7'))],
    ['a preamble', () => parse(`hello\r\n${WHOLE}`)],
    ['a line feed first', () => parse(`\n${WHOLE}`)],
    ['a carriage return first', () => parse(`\r${WHOLE}`)],
    ['a blank line that is not empty first', () => parse(` \r\n${WHOLE}`)],
    ['more than 1,024 bytes of line breaks first', () => parse(`${'\r\n'.repeat(513)}${WHOLE}`)],
    ['an epilogue', () => parse(`${WHOLE}--${BOUNDARY}\r\n`)],
    ['an epilogue of one letter', () => parse(`${WHOLE}\r\nx`)],
    ['an epilogue of a NUL', () => parse(`${WHOLE}\0`)],
    ['an epilogue of other white space', () => parse(`${WHOLE}\v`)],
    ['an epilogue of more than 1,024 blanks', () => parse(`${WHOLE}${' '.repeat(BLANK_BYTES_MAX - 1)}`)],
    [
      'line feeds for line ends',
      () =>
        parse(
          formOf([text('a', 'b')])
            .toString()
            .replaceAll('\r\n', '\n'),
        ),
    ],
    [
      'blanks behind a boundary',
      () =>
        parse(
          formOf([text('a', 'b')])
            .toString()
            .replace(`${BOUNDARY}\r\n`, `${BOUNDARY} \r\n`),
        ),
    ],
    [
      'the boundary behind a bare line feed',
      () => fieldsOf(text('a', `b\n--${BOUNDARY}\nContent-Disposition: form-data; name=model\n\nx`)),
    ],
    ['the boundary in a line', () => fieldsOf(text('a', `b --${BOUNDARY}`))],
    ['a longer boundary in the content', () => fieldsOf(text('a', `b\r\n--${BOUNDARY}x\r\n`))],
    ['the boundary in a head', head(`Content-Disposition: form-data; name="a"\r\n--${BOUNDARY}: x`)],
    [
      `more than ${PARTS_MAX} parts`,
      () => fieldsOf(...Array.from({ length: PARTS_MAX + 1 }, (_, at) => text(`f${at}`, 'x'))),
    ],
    ['a head too long', head(`Content-Disposition: form-data; name="a"\r\nX-A: ${'a'.repeat(HEAD_BYTES_MAX)}`)],
  ])('%s', (_what, read) => expect(refusalOf(read)).toBe(AMBIGUOUS));
});

describe('a form that is broken is invalid_value without a param', () => {
  test.each<[string, () => unknown]>([
    ['no body', () => parse('')],
    ['no form', () => parse('{"model":"whisper-1"}')],
    ['line breaks only', () => parse('\r\n\r\n')],
    ['the first boundary only', () => parse(`--${BOUNDARY}\r\n`)],
    ['another boundary', () => parse(formOf([text('a', 'b')], 'other'))],
    ['a head without end', () => parse(`--${BOUNDARY}\r\n${'a'.repeat(1e6)}`)],
  ])('%s', (_what, read) => expect(refusalOf(read)).toBe(UNREADABLE));

  test('each beginning of a form, cut anywhere', () => {
    const whole = formOf([file('file', '\r\n-'), text('model', 'whisper-1')]);
    // Without the last line break it is whole.
    for (let end = 0; end < whole.length - 2; end++) {
      expect([end, refusalOf(() => parse(whole.subarray(0, end)))]).toEqual([end, UNREADABLE]);
    }
    expect(parse(whole.subarray(0, -1))).toEqual(parse(whole));
    expect(parse(whole.subarray(0, -2))).toEqual(parse(whole));
  });
});

describe('bounds', () => {
  test('are 1,000 parts, 8 KiB of a head and 1 MiB of text', () => {
    expect([PARTS_MAX, HEAD_BYTES_MAX, TEXT_BYTES_MAX]).toEqual([1_000, 8_192, 1_048_576]);
  });

  test(`${PARTS_MAX} parts and a head of ${HEAD_BYTES_MAX} bytes pass`, () => {
    const many = Array.from({ length: PARTS_MAX }, (_, at) => text(`f${at}`, 'x'));
    expect(Object.keys(fieldsOf(...many))).toHaveLength(PARTS_MAX);
    const lines = 'Content-Disposition: form-data; name="a"\r\nX-A: ';
    expect(head(lines.padEnd(HEAD_BYTES_MAX, 'a'))()).toEqual({ a: 'x' });
    expect(refusalOf(head(lines.padEnd(HEAD_BYTES_MAX + 1, 'a')))).toBe(AMBIGUOUS);
  });

  test('all text together has 1 MiB; the field that passes it is named', () => {
    expect(fieldsOf(text('a', 'x'.repeat(TEXT_BYTES_MAX - 1)), text('b', 'y'))).toMatchObject({ b: 'y' });
    const tooMuch = () => fieldsOf(text('a', 'x'.repeat(TEXT_BYTES_MAX)), text('b', 'y'));
    expect(refusalOf(tooMuch)).toBe('invalid_value b');
    expect(tooMuch).toThrow('all text of a form is 1048576 bytes at most');
    expect(fieldsOf(file('a', Buffer.alloc(TEXT_BYTES_MAX + 1)))).toMatchObject({ a: { bytes: TEXT_BYTES_MAX + 1 } });
  });

  // A search that went back for each hyphen would take minutes.
  test('26 MB of what looks like the boundary costs less than 10 s', () => {
    const boundary = `${'-'.repeat(69)}a`;
    const body = formOf([file('file', Buffer.alloc(26 * 1024 * 1024 - 1000, '-'))], boundary);
    const beganMs = performance.now();
    expect(parse(body, boundary)).toHaveProperty('file');
    expect(performance.now() - beganMs).toBeLessThan(10_000);
  });
});
