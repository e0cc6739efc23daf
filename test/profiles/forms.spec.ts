import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { errorIn, errorCodeIn } from '../support/responses.js';
import { BOUNDARY, file, formOf, text } from '../support/multipart-forms.js';
import { TestGateway, type Key } from '../support/gateway.js';

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await TestGateway.start({ GW_PROFILE: 'current' });
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());

const send = (body: Buffer) =>
  gateway.call('POST', '/v1/audio/transcriptions', {
    key,
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body,
  });
const FORM = formOf([file('file', 'RIFF'), text('model', 'whisper-1')]);

test('the error for an incomplete form has no param with GW_PROFILE=current', async () => {
  const response = await send(FORM.subarray(0, -10));
  expect(errorCodeIn(response)).toBe('400 invalid_value');
  expect(errorIn(response)).toMatchObject({
    param: null,
    message: 'The form data is invalid: its closing boundary is missing. Send the whole body.',
  });
});

test('a form with two models returns 400 with param model with GW_PROFILE=current', async () => {
  const body = formOf([file('file', 'RIFF'), text('model', 'whisper-1'), text('model', 'gpt-4o-transcribe')]);
  expect(errorCodeIn(await send(body))).toBe('400 invalid_value model');
});
