import { describe, expect, test } from 'vitest';
import { readForm } from '../../src/pipeline/body/multipart-body.js';
import { BOUNDARY, file, formOf, text, type TestPart } from './multipart-forms.js';

const parse = (body: Buffer | string) => readForm(Buffer.from(body), BOUNDARY, 'model');
const fieldsOf = (...parts: TestPart[]) => parse(formOf(parts));
const twice = (name: string) => [text(name, 'a'), text(name, 'b')];
const WHOLE = formOf([text('a', 'b')]).toString();
const head = (lines: string) => () => fieldsOf({ head: lines, content: 'x' });
const disposition = (value: string) => head(`Content-Disposition: ${value}`);

describe('the error about a form that cannot be read names the form and the reason', () => {
  test.each<[string, () => unknown]>([
    ['it does not begin with its boundary', () => parse('hello')],
    [`it has more than 1000 parts`, () => fieldsOf(...Array.from({ length: 1001 }, (_, at) => text(`f${at}`, 'x')))],
    ['a boundary is not followed by a line break', () => parse(`--${BOUNDARY} \r\n`)],
    ['a boundary is not at the beginning of a line', () => fieldsOf(text('a', `b --${BOUNDARY}`))],
    ['the headers of a part do not end, or have more than 8192 bytes', () => parse(`--${BOUNDARY}\r\nX-A: b`)],
    ['a header line of a part is malformed', () => parse(`--${BOUNDARY}\r\n\r\n\r\n\r\n--${BOUNDARY}--`)],
    ['its closing boundary is missing', () => parse(WHOLE.slice(0, -BOUNDARY.length))],
    ['its closing boundary is followed by more than line breaks', () => parse(`${WHOLE}x`)],
    ['a field\'s name could be read as "model"', () => fieldsOf(text('Model', 'a'))],
    ['a field\'s name could be read as "model"', () => fieldsOf(text("'model'", 'a'))],
    ['a field\'s name could be read as "model"', () => fieldsOf(text("%27model'", 'a'))],
    ['a field\'s name could be read as "models"', disposition("form-data; name='models'")],
    ['a field\'s name could be read as "model"', disposition("form-data; name='model")],
    ['a field\'s name could be read as "model"', () => fieldsOf(text('%00model', 'a'))],
    ['a field\'s name could be read as "model"', () => fieldsOf(text('+model', 'a'))],
    ['a field\'s name could be read as "fallbacks"', () => fieldsOf(text('fallbacks[0][model]', 'a'))],
    ['a second "fallbacks" could be read instead of the first', () => fieldsOf(...twice('fallbacks'))],
    ['"model" is a file', () => fieldsOf(file('model', 'a'))],
    ['a second "models" could be read instead of the first', () => fieldsOf(text('models', 'a'), text('models', 'b'))],
    ['its _charset_ is not UTF-8', () => fieldsOf(text('_charset_', 'utf-7'))],
    ['the headers of a part are not UTF-8', () => parse(Buffer.from(WHOLE.replace('"a"', '"\xe9"'), 'latin1'))],
    [
      'a part has a transfer encoding',
      head('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64'),
    ],
    [
      'the Content-Type of a text field has a parameter other than an ASCII-compatible charset',
      head('Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=utf-7'),
    ],
    ['a part has two x-a headers', head('X-A: b\r\nx-a: c\r\nContent-Disposition: form-data; name="a"')],
    ['a part is not form-data', disposition('attachment; name="a"')],
    ["a part's Content-Disposition is malformed", disposition('form-data; name="a";')],
    ['a part has no valid name', disposition('form-data; name=""')],
    [
      'a file name contains "name=", which could be read as a second name. Rename the file',
      disposition('form-data; name="a"; filename="name=b"'),
    ],
  ])('%s', (why, read) => expect(read).toThrow(`The form cannot be read: ${why}.`));

  test('no other _charset_ than UTF-8 may be asked for, that one may', () => {
    for (const charset of ['utf-8', 'UTF-8']) {
      expect(fieldsOf(text('_charset_', charset))).toEqual({ _charset_: charset });
    }
  });
});
