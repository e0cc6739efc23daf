import { describe, expect, test } from 'vitest';
import { parseMultipartForm } from '../../src/pipeline/body/multipart-form.js';
import { BOUNDARY, file, formOf, text, type TestPart } from './multipart-forms.js';

const parse = (body: Buffer | string) => parseMultipartForm(Buffer.from(body), BOUNDARY);
const fieldsOf = (...parts: TestPart[]) => parse(formOf(parts));
const twice = (name: string) => [text(name, 'a'), text(name, 'b')];
const WHOLE = formOf([text('a', 'b')]).toString();
const head = (lines: string) => () => fieldsOf({ head: lines, content: 'x' });
const disposition = (value: string) => head(`Content-Disposition: ${value}`);

describe('the refusal of a form that can be read in two ways names the form, the problem and the remedy', () => {
  test.each<[string, () => unknown]>([
    [
      'its boundary stands where no part begins or ends. End every line with CRLF, and choose a boundary that no part contains.',
      () => parse(`--${BOUNDARY} \r\n`),
    ],
    [
      'it has more than 1000 parts. Send fewer fields.',
      () => fieldsOf(...Array.from({ length: 1001 }, (_, at) => text(`f${at}`, 'x'))),
    ],
    [
      'the head of a part has no end, or more than 8192 bytes. Send an empty line after the headers of a part, and fewer or shorter ones.',
      head(`X-A: ${'b'.repeat(8192)}`),
    ],
    ['its boundary stands where no part begins or ends', () => fieldsOf(text('a', `b --${BOUNDARY}`))],
    ['something stands before its first boundary. Begin the body with the boundary.', () => parse(`x\r\n${WHOLE}`)],
    ['something stands after its last boundary. End the body with the last boundary.', () => parse(`${WHOLE}x`)],
    [
      'a line of a part\'s head is malformed. Write each header as "Name: value" on a line of its own.',
      () => parse(`--${BOUNDARY}\r\n\r\n\r\n\r\n--${BOUNDARY}--`),
    ],
    ['a field\'s name can be read as "model". Name it "model".', () => fieldsOf(text('Model', 'a'))],
    ['a field\'s name can be read as "model"', () => fieldsOf(text("'model'", 'a'))],
    ['a field\'s name can be read as "model"', () => fieldsOf(text("%27model'", 'a'))],
    ['a field\'s name can be read as "models"', disposition("form-data; name='models'")],
    ['a field\'s name can be read as "model"', disposition("form-data; name='model")],
    ['a field\'s name can be read as "model"', () => fieldsOf(text('%00model', 'a'))],
    ['a field\'s name can be read as "model"', () => fieldsOf(text('+model', 'a'))],
    ['a field\'s name can be read as "fallbacks"', () => fieldsOf(text('fallbacks[0][model]', 'a'))],
    ['a second "fallbacks" can be read instead of the first. Send it once.', () => fieldsOf(...twice('fallbacks'))],
    ['"model" is a file. Send it as text, without a filename.', () => fieldsOf(file('model', 'a'))],
    ['a second "models" can be read instead of the first', () => fieldsOf(text('models', 'a'), text('models', 'b'))],
    [
      'its field "_charset_" asks for another charset. Send the form in UTF-8.',
      () => fieldsOf(text('_charset_', 'utf-7')),
    ],
    [
      "a part's head is not UTF-8. Encode names in UTF-8.",
      () => parse(Buffer.from(WHOLE.replace('"a"', '"\xe9"'), 'latin1')),
    ],
    [
      'a part has a transfer encoding. Send its content as it is.',
      head('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64'),
    ],
    [
      "a text field's Content-Type names another charset than UTF-8. Leave it out.",
      head('Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=utf-7'),
    ],
    [
      "a part's head has two lines x-a. Send each header once.",
      head('X-A: b\r\nx-a: c\r\nContent-Disposition: form-data; name="a"'),
    ],
    [
      'a part is not form-data. Begin each part with \'Content-Disposition: form-data; name="FIELD"\'.',
      disposition('attachment; name="a"'),
    ],
    ["a part's Content-Disposition is malformed", disposition('form-data; name="a";')],
    ['a part has no name of 1 to 200 characters', disposition('form-data; name=""')],
    [
      'a file name contains "name=", which can be read as a second name. Rename the file.',
      disposition('form-data; name="a"; filename="name=b"'),
    ],
  ])('%s', (why, read) => expect(read).toThrow(`The multipart form can be read in two ways: ${why}`));

  test('no other _charset_ than UTF-8 may be asked for, that one may', () => {
    for (const charset of ['utf-8', 'UTF-8']) {
      expect(fieldsOf(text('_charset_', charset))).toEqual({ _charset_: charset });
    }
  });
});

describe('the refusal of a form that is broken names the form, the problem and the remedy', () => {
  test.each<[string, () => unknown]>([
    [
      'it does not begin with the boundary that its Content-Type names. Let the HTTP client set the Content-Type of the form.',
      () => parse('hello'),
    ],
    [
      'it ends before its last boundary. Send the whole body, its last boundary included.',
      () => parse(WHOLE.slice(0, -BOUNDARY.length)),
    ],
    ['it ends before its last boundary', () => parse(`--${BOUNDARY}\r\nX-A: b`)],
  ])('%s', (why, read) => expect(read).toThrow(`The multipart form cannot be read: ${why}`));
});
