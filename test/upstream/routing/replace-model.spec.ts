import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { replaceFormModel, replaceModel } from '../../../src/platform/json/replace-model.js';
import { readForm } from '../../../src/proxy/pipeline/body/multipart-form.js';
import { boundaryOf } from '../../../src/proxy/pipeline/body/multipart-headers.js';
import { BOUNDARY, file, formOf, text } from '../../support/multipart-forms.js';
import { growthOf, LINEAR_GROWTH_MAX } from '../../support/cpu-time.js';

const replaced = (body: string, model = 'gpt-5-mini'): string => replaceModel(Buffer.from(body), model).toString();

describe('the model of a JSON body', () => {
  test.each([
    ['{"model":"fast"}', '{"model":"gpt-5-mini"}'],
    [' {\r\n\t"model" \n:\t "fast" , "n" : 1.00 }\n', ' {\r\n\t"model" \n:\t "gpt-5-mini" , "n" : 1.00 }\n'],
    ['{"mod\\u0065l":"fa\\u0073t","a":"\\u00e9é"}', '{"mod\\u0065l":"gpt-5-mini","a":"\\u00e9é"}'],
    ['{"a":{"model":"fast"},"model":"fast"}', '{"a":{"model":"fast"},"model":"gpt-5-mini"}'],
    ['{"a":["model","fast"],"model":"fast"}', '{"a":["model","fast"],"model":"gpt-5-mini"}'],
    ['{"a":"\\"model\\":\\"fast\\"","model":"fast"}', '{"a":"\\"model\\":\\"fast\\"","model":"gpt-5-mini"}'],
    ['{"a":"model","model":"fast","b":"model"}', '{"a":"model","model":"gpt-5-mini","b":"model"}'],
    ['{"Model":"fast","model ":"fast"}', '{"Model":"fast","model ":"fast"}'],
    ['{"model":"fast","model":"fast"}', '{"model":"gpt-5-mini","model":"gpt-5-mini"}'],
    ['{"model":"a\\"b}","n":[{}]}', '{"model":"gpt-5-mini","n":[{}]}'],
    ['{}', '{}'],
  ])('only the model string of %j changes', (before, after) => {
    expect(replaced(before)).toBe(after);
  });

  test('a new name is escaped', () => {
    expect(replaced('{"model":"fast"}', 'a"b\\c\u0001\ud800é')).toBe('{"model":"a\\"b\\\\c\\u0001\\ud800é"}');
  });

  test('a body without a model is not copied', () => {
    const body = Buffer.from('{"messages":[]}');
    expect(replaceModel(body, 'gpt-5-mini')).toBe(body);
  });

  test('a body of 20 MB is changed', () => {
    const body = Buffer.from(`{"messages":"${'\\"model\\":{}'.repeat(1_800_000)}","model":"fast"}`);
    const after = replaceModel(body, 'gpt-5-mini');
    expect(after.subarray(0, -24).equals(body.subarray(0, after.length - 24))).toBe(true);
    expect(after.subarray(-24).toString()).toBe(`","model":"gpt-5-mini"}`.slice(-24).padStart(24, '}'));
  });

  test('a model is replaced in linear time', () => {
    const bodyOf = (size: number) => Buffer.from(`{"messages":"${'\\"model\\":{}'.repeat(size)}","model":"fast"}`);
    expect(growthOf(bodyOf, 20_000, (body) => replaceModel(body, 'gpt-5-mini'))).toBeLessThan(LINEAR_GROWTH_MAX);
  });

  test('in any body, parsing gives the new model and otherwise the same values', () => {
    const spaces = fc.stringMatching(/^[ \t\r\n]{0,3}$/);
    const name = fc.oneof(fc.constantFrom('model', 'mod\\u0065l', '\\u006d\\u006f\\u0064\\u0065\\u006c'));
    const other = fc.dictionary(
      fc.string().filter((key) => key !== 'model'),
      fc.jsonValue(),
      { maxKeys: 4 },
    );
    fc.assert(
      fc.property(
        other,
        other,
        name,
        fc.tuple(fc.string({ unit: 'binary' }), fc.string()),
        fc.array(spaces, { minLength: 6, maxLength: 6 }),
        (a, b, given, [before, after], space) => {
          const fieldsOf = (given: object) => JSON.stringify(given).slice(1, -1);
          const [first, last] = [fieldsOf(a), fieldsOf(b)];
          const member = (value: string) => `${space[0]}"${given}"${space[1]}:${space[2]}${value}${space[3]}`;
          const textOf = (value: string) =>
            `${space[4]}{${[first, member(value), last].filter((part) => part !== '').join(',')}}${space[5]}`;
          const bytes = (value: string) => Buffer.from(textOf(JSON.stringify(value)));
          expect(replaceModel(bytes(before), after).toString()).toBe(bytes(after).toString());
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('the model of a form', () => {
  const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
  const replacedForm = (body: Buffer, type = TYPE) =>
    replaceFormModel(body, type, 'fast', 'whisper-1')?.toString('latin1');
  const modelOf = (body: Buffer, type = TYPE) => readForm(body, boundaryOf(type), null)['model'];

  test('only the text of the model part changes', () => {
    const parts = (model: string) => [
      file('file', Buffer.from([0, 255, 13, 10])),
      text('model', model),
      text('prompt', 'fast'),
    ];
    expect(replacedForm(formOf(parts('fast')))).toBe(formOf(parts('whisper-1')).toString('latin1'));
  });

  // A form that another part answers would leave the client's name in place, and the key's list would not apply to it.
  test.each([
    [
      'a header that looks like a disposition',
      TYPE,
      { head: 'X-Note: a; name="model"\r\nContent-Disposition: form-data; name="prompt"', content: 'fast' },
    ],
    [
      'a header after the disposition',
      TYPE,
      { head: 'Content-Disposition: form-data; name="prompt"\r\nX-Note: a; name=model', content: 'fast' },
    ],
    ['a file with the lines of a part', TYPE, file('file', 'Content-Disposition: form-data; name="model"\r\n\r\nfast')],
    [
      'a boundary inside another parameter',
      `multipart/form-data; note="; boundary=x"; boundary=${BOUNDARY}`,
      file('file', '--x"\r\nContent-Disposition: form-data; name="model"\r\n\r\nfast\r\n--x"'),
    ],
    [
      'an unquoted boundary inside another parameter',
      `multipart/form-data; note="; boundary=x ;"; boundary=${BOUNDARY}`,
      file('file', '--x\r\nContent-Disposition: form-data; name="model"\r\n\r\nfast\r\n--x'),
    ],
  ])('%s does not hide the model part', (_, type, decoy) => {
    for (const parts of [
      [decoy, text('model', 'fast')],
      [text('model', 'fast'), decoy],
    ]) {
      const body = formOf(parts);
      expect(modelOf(body, type)).toBe('fast');
      const after = replaceFormModel(body, type, 'fast', 'whisper-1');
      expect(after === null ? null : modelOf(after, type)).toBe('whisper-1');
      expect(after!.length - body.length).toBe('whisper-1'.length - 'fast'.length);
    }
  });

  test.each([
    `multipart/form-data; boundary="${BOUNDARY}"`,
    `multipart/form-data; charset=utf-8; boundary=${BOUNDARY}`,
    `Multipart/Form-Data;BOUNDARY=${BOUNDARY}; charset="utf-8"`,
    `multipart/form-data \t; \tboundary=${BOUNDARY} `,
  ])('the content type %j is read as stage 4 reads it', (type) => {
    const body = formOf([text('prompt', 'fast'), text('model', 'fast')]);
    expect(modelOf(body, type)).toBe('fast');
    expect(replacedForm(body, type)).toBe(
      formOf([text('prompt', 'fast'), text('model', 'whisper-1')]).toString('latin1'),
    );
  });

  test.each([
    'Content-Disposition: form-data; name="model"\r\nContent-Type: text/plain',
    'Content-Type: text/plain; charset=utf-8\r\ncontent-disposition: form-data; name=model',
    'CONTENT-DISPOSITION:form-data;name="model"',
  ])('the part with the headers %j is the model', (head) => {
    const forms = (content: string) => formOf([{ head, content }]);
    expect(modelOf(forms('fast'))).toBe('fast');
    expect(replacedForm(forms('fast'))).toBe(forms('whisper-1').toString('latin1'));
  });

  test('a boundary with spaces inside is read completely', () => {
    const type = 'multipart/form-data; boundary="a b c"';
    const form = (model: string) => formOf([text('model', model)], 'a b c');
    expect(replacedForm(form('fast'), type)).toBe(form('whisper-1').toString('latin1'));
  });

  test('names outside ASCII are replaced byte by byte', () => {
    const form = (model: string) => formOf([text('model', model), file('file', Buffer.from('é', 'latin1'))]);
    expect(replaceFormModel(form('schnell-ß-日本'), TYPE, 'schnell-ß-日本', 'ü')?.equals(form('ü'))).toBe(true);
  });
});
