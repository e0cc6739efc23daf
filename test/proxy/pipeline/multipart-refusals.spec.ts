import { describe, expect, test } from '@jest/globals';
import { BOUNDARY, file, text } from '../../support/multipart-forms.js';
import { WHOLE, parse, fieldsOf, head, disposition } from './multipart-reading.js';

const twice = (name: string) => [text(name, 'a'), text(name, 'b')];
const DISPOSITION = `Begin each part with 'Content-Disposition: form-data; name="FIELD"'`;

describe('errors about invalid forms', () => {
  test.each<[string, () => unknown]>([
    [
      'it does not begin with the boundary in its Content-Type. Let the HTTP client set the Content-Type of the form',
      () => parse('hello'),
    ],
    [
      'it has more than 1000 parts. Send fewer fields',
      () => fieldsOf(...Array.from({ length: 1001 }, (_, at) => text(`f${at}`, 'x'))),
    ],
    [
      'a boundary is not followed by a line break. End every line with CRLF, and choose a boundary that no part contains',
      () => parse(`--${BOUNDARY} \r\n`),
    ],
    [
      'a boundary is not at the beginning of a line. End every line with CRLF, and choose a boundary that no part contains',
      () => fieldsOf(text('a', `b --${BOUNDARY}`)),
    ],
    [
      'the headers of a part exceed 8192 bytes or do not end with a blank line. Send fewer or shorter headers, and a blank line after them',
      head(`X-A: ${'b'.repeat(8192)}`),
    ],
    ['its closing boundary is missing. Send the whole body', () => parse(`--${BOUNDARY}\r\nX-A: b`)],
    [
      'a header line of a part is malformed. Write each header on its own line as "Name: value"',
      () => parse(`--${BOUNDARY}\r\n\r\n\r\n\r\n--${BOUNDARY}--`),
    ],
    ['its closing boundary is missing. Send the whole body', () => parse(WHOLE.slice(0, -BOUNDARY.length))],
    ['its closing boundary is followed by more data. End the body with the closing boundary', () => parse(`${WHOLE}x`)],
    ['a field name could be read as "model". Rename it to "model"', () => fieldsOf(text('Model', 'a'))],
    ['a field name could be read as "model". Rename it to "model"', () => fieldsOf(text("'model'", 'a'))],
    ['a field name could be read as "model". Rename it to "model"', () => fieldsOf(text("%27model'", 'a'))],
    ['a field name could be read as "models". Rename it to "models"', disposition("form-data; name='models'")],
    ['a field name could be read as "model". Rename it to "model"', disposition("form-data; name='model")],
    ['a field name could be read as "model". Rename it to "model"', () => fieldsOf(text('%00model', 'a'))],
    ['a field name could be read as "model". Rename it to "model"', () => fieldsOf(text('+model', 'a'))],
    [
      'a field name could be read as "fallbacks". Rename it to "fallbacks"',
      () => fieldsOf(text('fallbacks[0][model]', 'a')),
    ],
    ['"fallbacks" occurs twice. Send it once', () => fieldsOf(...twice('fallbacks'))],
    ['"model" is a file. Send it as text, without a filename', () => fieldsOf(file('model', 'a'))],
    ['"models" occurs twice. Send it once', () => fieldsOf(text('models', 'a'), text('models', 'b'))],
    ['its _charset_ is not UTF-8. Send the form in UTF-8', () => fieldsOf(text('_charset_', 'utf-7'))],
    [
      'the headers of a part are not UTF-8. Encode names in UTF-8',
      () => parse(Buffer.from(WHOLE.replace('"a"', '"\xe9"'), 'latin1')),
    ],
    [
      'a part has a transfer encoding. Send its content unencoded',
      head('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64'),
    ],
    [
      'the Content-Type of a text field has a parameter other than an ASCII-compatible charset. Omit the Content-Type',
      head('Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=utf-7'),
    ],
    [
      'a part has two x-a headers. Send each header once',
      head('X-A: b\r\nx-a: c\r\nContent-Disposition: form-data; name="a"'),
    ],
    [`a part is not form-data. ${DISPOSITION}`, disposition('attachment; name="a"')],
    [`a part's Content-Disposition is malformed. ${DISPOSITION}`, disposition('form-data; name="a";')],
    [`a part has no valid name. ${DISPOSITION}`, disposition('form-data; name=""')],
    [
      'a file name contains "name=", which could be read as a second name. Rename the file',
      disposition('form-data; name="a"; filename="name=b"'),
    ],
  ])('the error names the problem and the remedy: %s', (why, read) =>
    expect(read).toThrow(`The form data is invalid: ${why}.`),
  );

  test('a _charset_ field of UTF-8 is accepted', () => {
    for (const charset of ['utf-8', 'UTF-8']) {
      expect(fieldsOf(text('_charset_', charset))).toEqual({ _charset_: charset });
    }
  });
});
