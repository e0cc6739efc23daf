import { isDeepStrictEqual } from 'node:util';
import { describe } from '@jest/globals';
import {
  rejectionOfTwoReadings,
  parseJsonObject,
  requireJsonContentType,
} from '../../src/proxy/pipeline/body/json-body.js';
import { boundaryOf } from '../../src/proxy/pipeline/body/multipart-headers.js';
import { readForm, PARTS_MAX, TEXT_BYTES_MAX } from '../../src/proxy/pipeline/body/multipart-form.js';
import { chatBody } from '../../src/proxy/completions/emulation.rules.js';
import { removeTopLevelFields, topLevelFields } from '../../src/platform/json/top-level-fields.js';
import { requestText } from '../../src/proxy/metering/estimate/request-text.js';
import { scanModel } from '../../src/proxy/response-model.js';
import { FormFile } from '../../src/platform/validation/form-kinds.js';
import { MODEL_FIELDS } from '../../src/platform/json/model-fields.data.js';
import { parseJson } from '../../src/platform/json/parse-json.js';
import { BOUNDARY, file, formOf, text } from '../support/multipart-forms.js';
import { fuzz, must, readOrRefused } from './fuzz.js';
import { mutateBytes, mutateText } from './mutate.js';

const JSON_BODIES = [
  '{"model":"gpt-4o-mini","messages":[{"role":"user","content":"Hello \\u00e9 \\"x\\" {}"}],"stream":true,"n":1.50}',
  '{ "model" : "m" , "models":["a","b"], "metadata":{"model":"x"}, "betas":["a"], "x":12345678901234567890 }',
  '{"\\u006dodel":"x","prompt":["a","b"],"echo":true,"__proto__":{"model":"y"},"":null}',
  '{"betas":["a"],"max_tokens":5,"betas":null,"messages":[],"messages":1}',
  '{"model":"a","x":[{"model":"b"}],"model":"c"}',
  '{"models":["a"],"user":"\\"model\\":","mode\\u006cs":["b"]}',
  '{"model":"a","fallbacks":["b",{"model":"c"}],"plugins":[{"models":["d"]}],"tools":[{"type":"x","model":"e"}]}',
  '{"model":"a","tools":[{"type":"x","type":"function","x":{"model":"b"}}],"extra_body":{"models":{"x":["y"]}}}',
  '{"tools":[{"type":"x","model":"a","mode\\u006c":"b"}],"\\u0074ools":[]}',
  '{}',
].map((body) => Buffer.from(body));
const JSON_PIECES = [
  '"model":',
  '"model":"x",',
  ',"model":"x"',
  '"models":["x"],',
  '"betas":[],',
  '"\\u006dodel":"x",',
  '"mode\\u006c":1,',
  '{"a":1}',
  '[1,2]',
  '"messages":[],',
  '"prompt":"p",',
  '"__proto__":{"polluted":1},',
  ',',
  '}',
  '{',
  '"',
  '\\"',
  '\\u0022',
].map((piece) => Buffer.from(piece));

describe('JSON bodies', () => {
  fuzz({
    holds: 'a JSON body is rejected, or all readers find the same fields in it',
    share: 0.1,
    make: (dice) => mutateBytes(dice, dice.pick(JSON_BODIES), JSON_PIECES),
    check: (body) => {
      const object = readOrRefused(() => parseJsonObject(body));
      // Scanners must also accept invalid JSON, because upstream responses are scanned without being parsed.
      scanModel(body);
      requestText(body);
      if (object === null) return;
      const members = [...topLevelFields(body)];
      must(
        isDeepStrictEqual(new Set(members.map(({ name }) => name)), new Set(Object.keys(object))),
        'different fields',
      );
      const once = rejectionOfTwoReadings(body, object, 'everywhere') === null;
      for (const name of ['model', ...MODEL_FIELDS])
        must(!once || members.filter((member) => member.name === name).length < 2, `${name} passes twice`);
      if (
        once &&
        typeof object['model'] === 'string' &&
        object['model'].length <= 200 &&
        object['model'].isWellFormed()
      )
        must(scanModel(body) === object['model'], `a different model: ${scanModel(body)}`);
      mustCut(body, object);
      mustBecomeChat(body, object);
    },
  });

  function mustCut(body: Buffer, object: Record<string, unknown>): void {
    const rest = readOrRefused(() => removeTopLevelFields(body, ['betas']));
    if (rest === null) return;
    must(isDeepStrictEqual(parseJson(rest), without(object, 'betas')), 'other fields were removed as well');
    if (!Object.hasOwn(object, 'betas')) must(rest.equals(body), 'bytes were changed without need');
  }

  function mustBecomeChat(body: Buffer, object: Record<string, unknown>): void {
    const chat = readOrRefused(() => chatBody(body, 'the "prompt"\n\0', false));
    if (chat === null) return;
    const messages = [{ role: 'user', content: 'the "prompt"\n\0' }];
    const { messages: made, ...others } = parseJson(chat) as Record<string, unknown>;
    must(isDeepStrictEqual(made, messages), 'a different message');
    must(isDeepStrictEqual(without(others), without(object, 'prompt', 'echo', 'messages')), 'different fields');
  }

  /** Copies by entries, because a field can be named `__proto__`. */
  const without = (object: object, ...names: readonly string[]): object =>
    Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
});

const FORMS = [
  formOf([file('file'), text('model', 'whisper-1'), text('language', 'en')]),
  formOf([
    text('model', 'dall-e-2'),
    text('prompt', 'a\r\nb'),
    file('image[]', 'x', 'a.png'),
    file('image[]', 'y', 'b.png'),
  ]),
  formOf([
    text('models', 'a'),
    text('stream', 'true'),
    text('__proto__', 'x'),
    text('timestamp_granularities[]', 'word'),
  ]),
];
const FORM_PIECES = [
  '; name="model"',
  "; name*=utf-8''model",
  '; filename="a"',
  '\r\n X: y',
  `\r\n--${BOUNDARY}\r\n`,
  `\n--${BOUNDARY}\n`,
  `--${BOUNDARY}--`,
  `--${BOUNDARY}`,
  '\r\n\r\n',
  'Content-Disposition: form-data; name="model"\r\n\r\nx',
  '%22',
  '[]',
  'Content-Type: text/plain; charset=utf-7\r\n',
  'Content-Transfer-Encoding: base64\r\n',
  '_charset_',
  '\0',
  '--',
  '\r',
].map((piece) => Buffer.from(piece));

describe('multipart forms', () => {
  fuzz({
    holds: 'a form is rejected, or has at most one model and stays within its limits',
    share: 0.08,
    make: (dice) => mutateBytes(dice, dice.pick(FORMS), FORM_PIECES),
    check: (body) => {
      const form = readOrRefused(() => readForm(body, BOUNDARY, 'model'));
      if (form === null) return;
      must(Object.getPrototypeOf(form) === Object.prototype, 'a field became the prototype');
      const values = Object.values(form).flat();
      must(values.length <= PARTS_MAX, 'too many parts');
      const texts = values.filter((value) => typeof value === 'string');
      must(
        texts.reduce((sum, one) => sum + Buffer.byteLength(one), 0) <= 3 * Math.min(body.length, TEXT_BYTES_MAX),
        'text',
      );
      must([form['model'] ?? []].flat().length < 2, 'two models');
      for (const name of ['model', 'models'])
        must(
          [form[name] ?? []].flat().every((value) => !(value instanceof FormFile)),
          `${name} is a file`,
        );
    },
  });
});

describe('content types', () => {
  const TYPES = [
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON ; charset="UTF-8" ; x=y',
    `multipart/form-data; boundary=${BOUNDARY}`,
    `multipart/form-data; boundary="a b"; charset=utf-8`,
  ];
  fuzz({
    holds: 'a content type is accepted or rejected, and an accepted boundary is valid',
    share: 0.04,
    make: (dice) => mutateText(dice, dice.pick(TYPES)),
    check: (type) => {
      readOrRefused(() => requireJsonContentType(type));
      const boundary = readOrRefused(() => boundaryOf(type));
      must(boundary === null || (boundary.length <= 70 && !/[\r\n\0]/.test(boundary)), `the boundary ${boundary}`);
    },
  });
});
