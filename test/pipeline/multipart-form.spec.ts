import { describe, expect, test } from '@jest/globals';
import { HEAD_BYTES_MAX, PARTS_MAX } from '../../src/pipeline/body/multipart-form.js';
import { FormFile } from '../../src/validation/form-kinds.js';
import { BOUNDARY, file, formOf, text } from '../support/multipart-forms.js';
import { WHOLE, REFUSED, parse, fieldsOf, refusalOf, head, disposition } from './multipart-reading.js';

describe('what clients send is read', () => {
  test('text as text, a file as its name and size, a repeated name as an array, in any order', () => {
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

  test('content keeps its line ends, hyphens, quotes and every character', () => {
    const content = '\r\n--\r\n----\r\nname="model"\r\n\r\n👋 é "\\"\r\n';
    expect(fieldsOf(text('prompt', content))).toEqual({ prompt: content });
  });

  test('a form without parts is read', () => {
    expect(parse(`--${BOUNDARY}--`)).toEqual({});
  });

  test.each(['', '\r\n', '\r\n\r\n', '\n', ' \t\r\n', '\r\n'.repeat(10_000)])(
    'line breaks and blanks after the closing boundary are ignored: %j',
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
    ['lower case', 'content-disposition: form-data; name="a"', { a: 'x' }],
    [
      'urllib3',
      `Content-Disposition: form-data; name="a"; filename*=utf-8''%C3%A9.mp3`,
      { a: new FormFile("utf-8''%C3%A9.mp3", 1) },
    ],
    [
      'old curl, a quote in the filename',
      'Content-Disposition: form-data; name="a"; filename="x\\"y.mp3"',
      { a: new FormFile('x\\"y.mp3', 1) },
    ],
    [
      'a browser, a quote in the filename',
      'Content-Disposition: form-data; name="a"; filename="x%22y; z.mp3"',
      { a: new FormFile('x%22y; z.mp3', 1) },
    ],
    ['a browser, nothing chosen', 'Content-Disposition: form-data; name="a"; filename=""', { a: new FormFile('', 1) }],
    ['a browser, a quote in the name', 'Content-Disposition: form-data; name="a%22b%0D%0A"', { 'a"b\r\n': 'x' }],
    [
      'a part of another type, without filename',
      'Content-Disposition: form-data; name="a"\r\nContent-Type: audio/mpeg',
      { a: new FormFile(null, 1) },
    ],
    ['a browser, more of them', 'Content-Disposition: form-data; name="%22%22%0d%0D%0a%0A"', { '""\r\r\n\n': 'x' }],
    ...[
      'text/plain',
      'Text/Plain;charset=utf8',
      'text/plain ; charset="us-ascii"',
      'text/plain; charset=windows-1252',
    ].map((type): [string, string, object] => [
      `one that says ${type}`,
      `Content-Disposition: form-data; name="a"\r\nContent-Type: ${type}`,
      { a: 'x' },
    ]),
    ...['x-text/plain', 'text/plainer'].map((type): [string, string, object] => [
      `one that says ${type}`,
      `Content-Disposition: form-data; name="a"\r\nContent-Type: ${type}`,
      { a: new FormFile(null, 1) },
    ]),
    ...['7bit', 'BINARY'].map((encoding): [string, string, object] => [
      `one that says ${encoding}`,
      `Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: ${encoding}`,
      { a: 'x' },
    ]),
    [
      'one with a name of 200 characters',
      `Content-Disposition: form-data; name=${'n'.repeat(200)}`,
      { ['n'.repeat(200)]: 'x' },
    ],
    ['a name outside ASCII', 'Content-Disposition: form-data; name="é"', { é: 'x' }],
  ])('as %s writes it', (_who, lines, expected) => expect(head(lines)()).toEqual(expected));

  test('prototype names are ordinary fields', () => {
    const form = fieldsOf(text('__proto__', 'a'), text('constructor', 'b'));
    expect(Object.entries(form)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });

  test('models is always a list, for the gate takes each for a model', () => {
    expect(fieldsOf(text('models', 'gpt-4o'))).toEqual({ models: ['gpt-4o'] });
  });
});

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
    ['a blank first', () => parse(` \r\n${WHOLE}`)],
    ['an epilogue behind blanks', () => parse(`${WHOLE} \r\nx`)],
    ['an epilogue of other white space', () => parse(`${WHOLE}\v`)],
    ['an epilogue', () => parse(`${WHOLE}--${BOUNDARY}\r\n`)],
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
    ['no body', () => parse('')],
    ['the first boundary only', () => parse(`--${BOUNDARY}\r\n`)],
    ['another boundary', () => parse(formOf([text('a', 'b')], 'other'))],
    [
      `more than ${PARTS_MAX} parts`,
      () => fieldsOf(...Array.from({ length: PARTS_MAX + 1 }, (_, at) => text(`f${at}`, 'x'))),
    ],
    ['a head too long', head(`Content-Disposition: form-data; name="a"\r\nX-A: ${'a'.repeat(HEAD_BYTES_MAX)}`)],
    ['a head without end', () => parse(`--${BOUNDARY}\r\n${'a'.repeat(1e6)}`)],
  ])('%s', (_what, read) => expect(refusalOf(read)).toBe(REFUSED));

  test('a form that is cut anywhere before the end of its closing boundary is refused', () => {
    const whole = formOf([file('file', '\r\n-'), text('model', 'whisper-1')]);
    for (let end = 0; end < whole.length - 2; end++) {
      expect(refusalOf(() => parse(whole.subarray(0, end)))).toBe(REFUSED);
    }
    for (const cut of [1, 2]) expect(parse(whole.subarray(0, -cut))).toEqual(parse(whole));
  });
});
