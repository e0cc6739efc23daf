import { describe, expect, test } from 'vitest';
import { parseMultipartForm } from '../../src/pipeline/body/multipart-form.js';
import { BOUNDARY, file, formOf, text, type TestPart } from './multipart-forms.js';

const parse = (body: Buffer | string) => parseMultipartForm(Buffer.from(body), BOUNDARY);
const fieldsOf = (...parts: TestPart[]) => parse(formOf(parts));
const twice = (name: string) => [text(name, 'a'), text(name, 'b')];
const WHOLE = formOf([text('a', 'b')]).toString();
const head = (lines: string) => () => fieldsOf({ head: lines, content: 'x' });
const disposition = (value: string) => head(`Content-Disposition: ${value}`);

describe('the refusal of a form that can be read in two ways says why', () => {
  test.each<[string, () => unknown]>([
    ['it has to begin with its boundary', () => parse('hello')],
    [`it has more than 1000 parts`, () => fieldsOf(...Array.from({ length: 1001 }, (_, at) => text(`f${at}`, 'x')))],
    ['its boundary stands where none can be', () => parse(`--${BOUNDARY} \r\n`)],
    ['its boundary stands where none can be', () => fieldsOf(text('a', `b --${BOUNDARY}`))],
    ["a part's head does not end, or is longer than 8192 bytes", () => parse(`--${BOUNDARY}\r\nX-A: b`)],
    ["a line of a part's head is malformed", () => parse(`--${BOUNDARY}\r\n\r\n\r\n\r\n--${BOUNDARY}--`)],
    ['it ends before its last boundary', () => parse(WHOLE.slice(0, -BOUNDARY.length))],
    ['something stands behind its last boundary', () => parse(`${WHOLE}x`)],
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
    ['it asks for another charset', () => fieldsOf(text('_charset_', 'utf-7'))],
    ["a part's head is not UTF-8", () => parse(Buffer.from(WHOLE.replace('"a"', '"\xe9"'), 'latin1'))],
    [
      'a part comes in a transfer encoding',
      head('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64'),
    ],
    [
      "a text's Content-Type has other parameters than a charset of the ASCII family",
      head('Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=utf-7'),
    ],
    ["a part's head has two lines x-a", head('X-A: b\r\nx-a: c\r\nContent-Disposition: form-data; name="a"')],
    ['a part is not form-data', disposition('attachment; name="a"')],
    ["a part's Content-Disposition is malformed", disposition('form-data; name="a";')],
    ['a part has no proper name', disposition('form-data; name=""')],
    [
      'a second name could be read out of a file name that holds "name="',
      disposition('form-data; name="a"; filename="name=b"'),
    ],
  ])('%s', (why, read) => expect(read).toThrow(`in a form that can be read in one way only: ${why}`));

  test('no other _charset_ than UTF-8 may be asked for, that one may', () => {
    for (const charset of ['utf-8', 'UTF-8']) {
      expect(fieldsOf(text('_charset_', charset))).toEqual({ _charset_: charset });
    }
  });
});
