import { describe, expect, test } from '@jest/globals';
import { BOUNDARY, file, text } from '../support/multipart-forms.js';
import { WHOLE, parse, fieldsOf, head, disposition } from './multipart-reading.js';

const twice = (name: string) => [text(name, 'a'), text(name, 'b')];
const DISPOSITION = `Begin each part with 'Content-Disposition: form-data; name="FIELD"'`;

describe('the error about a form that cannot be read names the form, the problem and the remedy', () => {
  test.each<[string, () => unknown]>([
    [
      'it does not begin with the boundary that its Content-Type names. Let the HTTP client set the Content-Type of the form',
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
      'the headers of a part do not end, or have more than 8192 bytes. Send an empty line after the headers of a part, and fewer or shorter ones',
      head(`X-A: ${'b'.repeat(8192)}`),
    ],
    ['its closing boundary is missing. Send the whole body', () => parse(`--${BOUNDARY}\r\nX-A: b`)],
    [
      'a header line of a part is malformed. Write each header as "Name: value" on a line of its own',
      () => parse(`--${BOUNDARY}\r\n\r\n\r\n\r\n--${BOUNDARY}--`),
    ],
    ['its closing boundary is missing. Send the whole body', () => parse(WHOLE.slice(0, -BOUNDARY.length))],
    [
      'its closing boundary is followed by more than line breaks. End the body with the boundary',
      () => parse(`${WHOLE}x`),
    ],
    ['a field\'s name could be read as "model". Name it "model"', () => fieldsOf(text('Model', 'a'))],
    ['a field\'s name could be read as "model". Name it "model"', () => fieldsOf(text("'model'", 'a'))],
    ['a field\'s name could be read as "model". Name it "model"', () => fieldsOf(text("%27model'", 'a'))],
    ['a field\'s name could be read as "models". Name it "models"', disposition("form-data; name='models'")],
    ['a field\'s name could be read as "model". Name it "model"', disposition("form-data; name='model")],
    ['a field\'s name could be read as "model". Name it "model"', () => fieldsOf(text('%00model', 'a'))],
    ['a field\'s name could be read as "model". Name it "model"', () => fieldsOf(text('+model', 'a'))],
    [
      'a field\'s name could be read as "fallbacks". Name it "fallbacks"',
      () => fieldsOf(text('fallbacks[0][model]', 'a')),
    ],
    ['a second "fallbacks" could be read instead of the first. Send it once', () => fieldsOf(...twice('fallbacks'))],
    ['"model" is a file. Send it as text, without a filename', () => fieldsOf(file('model', 'a'))],
    [
      'a second "models" could be read instead of the first. Send it once',
      () => fieldsOf(text('models', 'a'), text('models', 'b')),
    ],
    ['its _charset_ is not UTF-8. Send the form in UTF-8', () => fieldsOf(text('_charset_', 'utf-7'))],
    [
      'the headers of a part are not UTF-8. Encode names in UTF-8',
      () => parse(Buffer.from(WHOLE.replace('"a"', '"\xe9"'), 'latin1')),
    ],
    [
      'a part has a transfer encoding. Send its content as it is',
      head('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64'),
    ],
    [
      'the Content-Type of a text field has a parameter other than an ASCII-compatible charset. Leave the Content-Type out',
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
  ])('%s', (why, read) => expect(read).toThrow(`The form cannot be read: ${why}.`));

  test('no other _charset_ than UTF-8 may be asked for, that one may', () => {
    for (const charset of ['utf-8', 'UTF-8']) {
      expect(fieldsOf(text('_charset_', charset))).toEqual({ _charset_: charset });
    }
  });
});
