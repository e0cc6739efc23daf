import { describe, expect, test } from '@jest/globals';
import { HEAD_BYTES_MAX, PARTS_MAX } from '../../../src/proxy/pipeline/body/multipart-form.js';
import { FormFile } from '../../../src/platform/validation/form-kinds.js';
import { BOUNDARY, file, formOf, text } from '../../support/multipart-forms.js';
import { WHOLE, REFUSED, parse, fieldsOf, refusalOf, head, disposition } from './multipart-reading.js';

describe('valid forms', () => {
  test('text fields, files (name and size) and repeated names are read in any order', () => {
    const form = fieldsOf(
      file('file', Buffer.alloc(1000), 'speech.mp3'),
      text('model', 'whisper-1'),
      text('timestamp_granularities[]', 'word'),
      text('timestamp_granularities[]', 'segment'),
      text('prompt', ''),
    );
    expect(form).toEqual({
      file: new FormFile('speech.mp3', 1000),
      model: 'whisper-1',
      'timestamp_granularities[]': ['word', 'segment'],
      prompt: '',
    });
  });

  test('content keeps its line breaks, hyphens, quotes and all other characters', () => {
    const content = '\r\n--\r\n----\r\nname="model"\r\n\r\n👋 é "\\"\r\n';
    expect(fieldsOf(text('prompt', content))).toEqual({ prompt: content });
  });

  test('a form without parts is accepted', () => {
    expect(parse(`--${BOUNDARY}--`)).toEqual({});
  });

  test.each(['', '\r\n', '\r\n\r\n', '\n', ' \t\r\n', '\r\n'.repeat(10_000)])(
    'whitespace after the closing boundary is ignored: %j',
    (end) => expect(parse(WHOLE.trimEnd() + end)).toEqual({ a: 'b' }),
  );

  test.each([1, 2, 32_768])('%i line breaks before the first boundary are ignored', (count) =>
    expect(parse(`${'\r\n'.repeat(count)}${WHOLE}`)).toEqual({ a: 'b' }),
  );

  test.each<[string, string, object]>([
    ['curl', 'Content-Disposition: form-data; name="a"', { a: 'x' }],
    ['.NET', 'Content-Type: text/plain; charset=utf-8\r\nContent-Disposition: form-data; name=a', { a: 'x' }],
    [
      'Apache HttpClient',
      'Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=ISO-8859-1\r\nContent-Transfer-Encoding: 8bit',
      { a: 'x' },
    ],
    ['OkHttp', 'Content-Disposition: form-data; name="a"\r\nContent-Length: 1', { a: 'x' }],
    ['a client that writes header names in lowercase', 'content-disposition: form-data; name="a"', { a: 'x' }],
    [
      'urllib3',
      `Content-Disposition: form-data; name="a"; filename*=utf-8''%C3%A9.mp3`,
      { a: new FormFile("utf-8''%C3%A9.mp3", 1) },
    ],
    [
      'old curl with a quote in the filename',
      'Content-Disposition: form-data; name="a"; filename="x\\"y.mp3"',
      { a: new FormFile('x\\"y.mp3', 1) },
    ],
    [
      'a browser with a quote in the filename',
      'Content-Disposition: form-data; name="a"; filename="x%22y; z.mp3"',
      { a: new FormFile('x%22y; z.mp3', 1) },
    ],
    [
      'a browser with no file chosen',
      'Content-Disposition: form-data; name="a"; filename=""',
      { a: new FormFile('', 1) },
    ],
    [
      'a browser with a quote and a line break in the field name',
      'Content-Disposition: form-data; name="a%22b%0D%0A"',
      { 'a"b\r\n': 'x' },
    ],
    [
      'a client with an audio type and no filename',
      'Content-Disposition: form-data; name="a"\r\nContent-Type: audio/mpeg',
      { a: new FormFile(null, 1) },
    ],
    [
      'a browser with several quotes and line breaks in the field name',
      'Content-Disposition: form-data; name="%22%22%0d%0D%0a%0A"',
      { '""\r\r\n\n': 'x' },
    ],
    ...[
      'text/plain',
      'Text/Plain;charset=utf8',
      'text/plain ; charset="us-ascii"',
      'text/plain; charset=windows-1252',
    ].map((type): [string, string, object] => [
      `a client with the type ${type}`,
      `Content-Disposition: form-data; name="a"\r\nContent-Type: ${type}`,
      { a: 'x' },
    ]),
    ...['x-text/plain', 'text/plainer'].map((type): [string, string, object] => [
      `a client with the type ${type}`,
      `Content-Disposition: form-data; name="a"\r\nContent-Type: ${type}`,
      { a: new FormFile(null, 1) },
    ]),
    ...['7bit', 'BINARY'].map((encoding): [string, string, object] => [
      `a client with the encoding ${encoding}`,
      `Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: ${encoding}`,
      { a: 'x' },
    ]),
    [
      'a client with a name of 200 characters',
      `Content-Disposition: form-data; name=${'n'.repeat(200)}`,
      { ['n'.repeat(200)]: 'x' },
    ],
    ['a client with a name outside ASCII', 'Content-Disposition: form-data; name="é"', { é: 'x' }],
  ])('a part from %s is read', (_client, lines, expected) => expect(head(lines)()).toEqual(expected));

  test('names of prototype properties are ordinary fields', () => {
    const form = fieldsOf(text('__proto__', 'a'), text('constructor', 'b'));
    expect(Object.entries(form)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });

  test('models is always an array, because the gate checks each entry', () => {
    expect(fieldsOf(text('models', 'gpt-4o'))).toEqual({ models: ['gpt-4o'] });
  });
});

describe('ambiguous forms', () => {
  test.each<[string, () => unknown]>([
    ['a second model', () => fieldsOf(text('model', 'a'), text('model', 'a'))],
    ['a second models field', () => fieldsOf(text('models', 'a'), text('models', 'b'))],
    ['a model that is a file', () => fieldsOf(file('model', 'a'))],
    ['a model of another type', head('Content-Disposition: form-data; name="model"\r\nContent-Type: application/json')],
    ['model[]', () => fieldsOf(text('model[]', 'a'))],
    ['models[0]', () => fieldsOf(text('models[0]', 'a'))],
    ['Model', () => fieldsOf(text('Model', 'a'))],
    ['a space before model', () => fieldsOf(text(' model', 'a'))],
    ['a percent-encoded model', () => fieldsOf(text('mod%65l', 'a'))],
    ['a model with two percent-encoded characters', () => fieldsOf(text('mod%65%6c', 'a'))],
    ['a model percent-encoded in uppercase', () => fieldsOf(text('mode%6C', 'a'))],
    ['model[', () => fieldsOf(text('model[', 'a'))],
    ['model[ and a line break', () => fieldsOf(text('model[%0A]', 'a'))],
    ['a name parameter inside a name', disposition('form-data; name="a name=model"')],
    ['an uppercase name parameter inside a filename', disposition('form-data; name="a"; filename="; NAME=model"')],
    ['model before %00', () => fieldsOf(text('model%00x', 'a'))],
    ['a model with a backslash', () => fieldsOf(text('mo\\del', 'a'))],
    ['two names', disposition('form-data; name="a"; name="model"')],
    ['name*', disposition(`form-data; name="a"; name*=utf-8''model`)],
    ['a space before =', disposition('form-data; name ="model"')],
    ['a space after =', disposition('form-data; name= "model"')],
    ['no name', disposition('form-data')],
    ['an empty name', disposition('form-data; name=""')],
    ['an overlong name', disposition(`form-data; name="${'n'.repeat(201)}"`)],
    ['an uppercase name parameter', disposition('form-data; NAME="model"')],
    ['an unknown parameter', disposition('form-data; name="a"; size=3')],
    ['a semicolon at the end', disposition('form-data; name="a";')],
    ['a space at the end', disposition('form-data; name="a" ')],
    ['a tab', disposition('form-data;\tname="a"')],
    ['an unclosed quote', disposition('form-data; name="a')],
    ['an attachment', disposition('attachment; name="model"')],
    ['form-data in mixed case', disposition('Form-Data; name="model"')],
    ['form-datax', disposition('form-datax; name="model"')],
    ['two filenames', disposition('form-data; name="a"; filename="x"; filename="y"')],
    ['a name parameter inside a filename', disposition('form-data; name="a"; filename="; name=model"')],
    ['a name parameter after an escaped quote', disposition('form-data; name="a"; filename="\\"; name=\\"model"')],
    [
      'a name parameter inside filename*',
      disposition(`form-data; name="a"; filename="x"; filename*="u''; name = model"`),
    ],
    ['a folded line', head('Content-Disposition: form-data;\r\n name="model"')],
    [
      'two Content-Disposition headers',
      head('Content-Disposition: form-data; name="a"\r\nContent-Disposition: form-data; name="model"'),
    ],
    ['no Content-Disposition', head('Content-Type: text/plain')],
    ['no part headers', () => parse(`--${BOUNDARY}\r\n\r\nx\r\n--${BOUNDARY}--\r\n`)],
    ['a header line without a colon', head('Content-Disposition: form-data; name="a"\r\nhello')],
    ['a space before the colon', head('Content-Disposition : form-data; name="a"')],
    [
      'a bare line feed in the part headers',
      head('X-A: b\nContent-Disposition: form-data; name="model"\r\nContent-Disposition: form-data; name="a"'),
    ],
    ['a bare carriage return', head('Content-Disposition: form-data; name="a"\rX: y')],
    ['a NUL in a name', disposition('form-data; name="a\0b"')],
    ['a tab in a header line', head('Content-Disposition: form-data; name="a"\r\nX-A: b\tc')],
    [
      'a bare line feed before a boundary and a complete part',
      () => fieldsOf(text('a', `b\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="c"\r\n\r\nd`)),
    ],
    ['a NUL', disposition('form-data; name="model\0"')],
    [
      'part headers that are not UTF-8',
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
    ['base64 encoding', head('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64')],
    [
      'quoted-printable encoding',
      head('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: Quoted-Printable'),
    ],
    [
      'an encoding that ends like a known one',
      head('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: x-7bit'),
    ],
    [
      'an encoding that begins like a known one',
      head('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: 7bits'),
    ],
    ['no line break after the content', () => parse(WHOLE.replace('\r\n\r\nb\r\n', '\r\n\r\n'))],
    ['two bytes after the closing boundary', () => parse(`--${BOUNDARY}--xx`)],
    ['UTF-7', head('Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=utf-7')],
    ['_charset_', () => fieldsOf(text('_charset_', 'utf-7'))],
    ['a preamble', () => parse(`hello\r\n${WHOLE}`)],
    ['a leading line feed', () => parse(`\n${WHOLE}`)],
    ['a leading carriage return', () => parse(`\r${WHOLE}`)],
    ['a leading space', () => parse(` \r\n${WHOLE}`)],
    ['an epilogue after whitespace', () => parse(`${WHOLE} \r\nx`)],
    ['an epilogue of other white space', () => parse(`${WHOLE}\v`)],
    ['an epilogue', () => parse(`${WHOLE}--${BOUNDARY}\r\n`)],
    [
      'line feeds as line breaks',
      () =>
        parse(
          formOf([text('a', 'b')])
            .toString()
            .replaceAll('\r\n', '\n'),
        ),
    ],
    [
      'a space after a boundary',
      () =>
        parse(
          formOf([text('a', 'b')])
            .toString()
            .replace(`${BOUNDARY}\r\n`, `${BOUNDARY} \r\n`),
        ),
    ],
    [
      'the boundary after a bare line feed',
      () => fieldsOf(text('a', `b\n--${BOUNDARY}\nContent-Disposition: form-data; name=model\n\nx`)),
    ],
    ['the boundary inside a line', () => fieldsOf(text('a', `b --${BOUNDARY}`))],
    ['a longer boundary in the content', () => fieldsOf(text('a', `b\r\n--${BOUNDARY}x\r\n`))],
    ['the boundary inside part headers', head(`Content-Disposition: form-data; name="a"\r\n--${BOUNDARY}: x`)],
    ['no body', () => parse('')],
    ['only the first boundary', () => parse(`--${BOUNDARY}\r\n`)],
    ['another boundary', () => parse(formOf([text('a', 'b')], 'other'))],
    [
      `more than ${PARTS_MAX} parts`,
      () => fieldsOf(...Array.from({ length: PARTS_MAX + 1 }, (_, at) => text(`f${at}`, 'x'))),
    ],
    ['overlong part headers', head(`Content-Disposition: form-data; name="a"\r\nX-A: ${'a'.repeat(HEAD_BYTES_MAX)}`)],
    ['endless part headers', () => parse(`--${BOUNDARY}\r\n${'a'.repeat(1e6)}`)],
  ])('a form with %s is rejected with invalid_value at model', (_flaw, read) => expect(refusalOf(read)).toBe(REFUSED));

  test('a form that is truncated anywhere before the end of its closing boundary is rejected', () => {
    const whole = formOf([file('file', '\r\n-'), text('model', 'whisper-1')]);
    for (let end = 0; end < whole.length - 2; end++) {
      expect(refusalOf(() => parse(whole.subarray(0, end)))).toBe(REFUSED);
    }
    for (const cut of [1, 2]) expect(parse(whole.subarray(0, -cut))).toEqual(parse(whole));
  });
});
