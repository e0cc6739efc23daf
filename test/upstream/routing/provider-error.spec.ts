import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fallbackReasonOf } from '../../../src/upstream/routing/fallback-reason.rules.js';
import { providerErrorIn } from '../../../src/upstream/routing/provider-error.rules.js';
import { verdictOf } from '../../../src/upstream/routing/response-verdict.rules.js';

const NAMES = [
  'error',
  'errors',
  'code',
  'type',
  'status',
  'reason',
  'message',
  'detail',
  'details',
  'metadata',
  'innererror',
];
/** Methods that JavaScript calls when it converts an object. */
const METHODS = ['toString', 'valueOf', 'toJSON', 'length', 'map', 'constructor', '__proto__'];

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom('invalid_api_key', 'error', '', 429, 400, null, true),
    fc.string(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES, ...METHODS), tie('value'), { maxKeys: 5 }),
  ),
}));

test('no JSON of a provider makes the reading of its error throw', () => {
  const request = { model: 'gpt-4o', namesObject: false };
  fc.assert(
    fc.property(value, fc.constantFrom(200, 400, 401, 404, 429, 500), (json, status) => {
      const body = Buffer.from(JSON.stringify(json));
      verdictOf({ status, headers: {}, body }, request);
      providerErrorIn(body.toString());
      fallbackReasonOf(body);
    }),
    { numRuns: 5_000 },
  );
});

test('an error whose type converts to nothing is read like one without a type', () => {
  const error = providerErrorIn('{"error":{"type":{"toString":{},"valueOf":1},"message":"No"}}');
  expect(error).toMatchObject({ codes: [], message: 'no', status: null });
});

test('an invalid key is recognized among the codes of an invalid request', () => {
  const error = {
    code: 400,
    message: 'API key not valid. Please pass a valid API key.',
    status: 'INVALID_ARGUMENT',
    details: [{ reason: 'API_KEY_INVALID', domain: 'googleapis.com' }],
  };
  for (const given of [error, { ...error, message: 'Bad' }, { ...error, details: [] }]) {
    const body = Buffer.from(JSON.stringify({ error: given }));
    const verdict = verdictOf({ status: 400, headers: {}, body }, { model: 'gemini-2.5-pro', namesObject: false });
    expect(verdict).toEqual({ effect: 'refused', scope: 'account', status: 401 });
  }
});
