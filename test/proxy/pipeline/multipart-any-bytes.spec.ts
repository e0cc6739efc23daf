import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { GatewayError } from '../../../src/platform/errors/gateway-error.js';
import { readForm, PARTS_MAX, TEXT_BYTES_MAX } from '../../../src/proxy/pipeline/body/multipart-form.js';
import { FormFile } from '../../../src/platform/validation/form-kinds.js';
import { anyText } from '../../support/any-text.js';
import { BOUNDARY, file, formOf, text } from '../../support/multipart-forms.js';

/** Returns the form, or null if it is rejected with 400. Any other error fails the property. */
function outcome(body: Buffer, boundary = BOUNDARY) {
  try {
    return readForm(body, boundary, 'model');
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    expect(error.status).toBe(400);
    return null;
  }
}

/** Checks how much of the body a form holds a second time: its text, and one small object per file. */
function expectBounded(form: ReturnType<typeof outcome>, body: Buffer): void {
  if (form === null) return;
  const values = Object.values(form).flat();
  const bytes = values.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0));
  // An invalid byte becomes U+FFFD, which has three bytes in UTF-8.
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(3 * Math.min(body.length, TEXT_BYTES_MAX));
  expect(values.length).toBeLessThanOrEqual(PARTS_MAX);
}

/** Fragments that are difficult for a scanner, in any order. */
const pieces = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\r\n',
        '\r',
        '\n',
        '--',
        `--${BOUNDARY}`,
        `\r\n--${BOUNDARY}\r\n`,
        `--${BOUNDARY}--`,
        ': ',
        ';',
        '"',
        '\\',
        'Content-Disposition: form-data',
        '; name="model"',
        '; name=model',
        '; filename="a"',
        '\r\n\r\n',
        '\0',
        ' ',
      ),
      fc.string({ maxLength: 8 }),
    ),
    { maxLength: 40 },
  )
  .map((list) => Buffer.from(list.join('')));

const SMALL = formOf([file('file'), text('model', 'whisper-1'), text('language', 'en')]);
const RUNS = { numRuns: 1_000 };

describe('readForm with arbitrary bytes', () => {
  test('arbitrary bytes are read or rejected with 400, in bounded memory', () => {
    const bytes = fc.uint8Array({ maxLength: 500 }).map((array) => Buffer.from(array));
    fc.assert(
      fc.property(bytes, (body) => expectBounded(outcome(body), body)),
      RUNS,
    );
  });

  test('arbitrary fragments of forms are read or rejected with 400, in bounded memory', () => {
    fc.assert(
      fc.property(pieces, (rest) => {
        const body = Buffer.concat([Buffer.from(`--${BOUNDARY}\r\n`), rest]);
        expectBounded(outcome(body), body);
      }),
      RUNS,
    );
  });

  test('a valid form with one changed byte is read or rejected with 400, in bounded memory', () => {
    fc.assert(
      fc.property(fc.nat({ max: SMALL.length - 1 }), fc.nat({ max: 255 }), (at, byte) => {
        const body = Buffer.from(SMALL);
        body[at] = byte;
        expectBounded(outcome(body), body);
      }),
      RUNS,
    );
  });

  test('any content is read unchanged and never as another field', () => {
    const content = fc.oneof(
      pieces,
      fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
    );
    fc.assert(
      fc.property(content, anyText({ maxLength: 50 }), (bytes, prompt) => {
        fc.pre(!bytes.includes(`--${BOUNDARY}`) && prompt.isWellFormed());
        const form = outcome(formOf([file('file', bytes), text('prompt', prompt)]));
        expect(form).toEqual({ file: new FormFile('a.wav', bytes.length), prompt });
      }),
      RUNS,
    );
  });

  test('undici reads the same model from every accepted form that it can parse', async () => {
    const others = fc.constantFrom(
      '; name="model"',
      "; name*=utf-8''model",
      '; filename="a"',
      '\r\nContent-Type: x/y',
      '\r\n X: y',
      ' ',
      '\\',
      '"',
      'model',
      'Model',
      '%22',
      ';',
      '\n',
      `\r\n--${BOUNDARY}\r\n`,
      `\n--${BOUNDARY}\n`,
      `--${BOUNDARY}--\r\n`,
      '\r\n',
      '\r\n\r\n',
      '\t\r',
    );
    const edits = fc.array(
      fc.tuple(fc.oneof(fc.nat({ max: SMALL.length }), fc.constantFrom(0, SMALL.length)), others),
      {
        minLength: 1,
        maxLength: 3,
      },
    );
    let read = 0;
    await fc.assert(
      fc.asyncProperty(edits, async (list) => {
        let bytes = SMALL;
        for (const [at, piece] of list)
          bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(piece), bytes.subarray(at)]);
        const form = outcome(bytes);
        const theirs = form && (await modelsByUndici(bytes));
        if (!theirs) return;
        read++;
        expect(theirs).toEqual([form['model'] ?? []].flat());
      }),
      RUNS,
    );
    expect(read).toBeGreaterThan(50);
  });
});

async function modelsByUndici(bytes: Buffer): Promise<unknown[] | null> {
  const response = new Response(new Uint8Array(bytes), {
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  });
  try {
    return (await response.formData()).getAll('model');
  } catch {
    return null;
  }
}
