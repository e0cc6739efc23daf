import { describe, expect, test } from 'vitest';
import { parseMultipartForm } from '../../src/pipeline/body/multipart-form.js';
import { FormFile } from '../../src/validation/form-file.js';
import { BOUNDARY, file, formOf, text, type TestPart } from './multipart-forms.js';

const parse = (body: Buffer | string) => parseMultipartForm(Buffer.from(body), BOUNDARY);
const fieldsOf = (...parts: TestPart[]) => parse(formOf(parts));
const WHOLE = formOf([text('a', 'b')]).toString();
const head = (lines: string) => () => fieldsOf({ head: lines, content: 'x' });

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

  test('a form without parts', () => {
    expect(parse(`--${BOUNDARY}--\r\n`)).toEqual({});
    expect(parse(`--${BOUNDARY}--`)).toEqual({});
  });

  test.each([
    ['nothing', ''],
    ['a line break', '\r\n'],
    ['two line breaks, as openai 4 and axios 1.8 write them', '\r\n\r\n'],
    ['a line feed', '\n'],
    ['a carriage return', '\r'],
    ['blanks', ' \t'],
    ['blanks and line breaks', '  \r\n\t\n \r\r\n'],
    ['1,024 of them', '\r\n'.repeat(512)],
  ])('a form with %s after its last boundary', (_what, epilogue) => {
    const whole = formOf([text('model', 'a'), text('b', 'c\r\n')]).subarray(0, -2);
    expect(parse(Buffer.concat([whole, Buffer.from(epilogue)]))).toEqual({ model: 'a', b: 'c\r\n' });
  });

  test.each([1, 2, 512])('a form with %i line breaks before its first boundary', (count) => {
    expect(parse(`${'\r\n'.repeat(count)}${WHOLE}`)).toEqual({ a: 'b' });
  });

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
