import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import OpenAI, { toFile } from 'openai';
import { BOUNDARY, file, formOf, text, type TestPart } from '../../support/multipart-forms.js';
import type { Key, TestGateway } from '../../support/gateway.js';
import { errorIn, errorCodeIn, snapshot } from '../../support/responses.js';
import { startGateway } from '../../support/ready-gateway.js';

const PATH = '/v1/images/edits';
const RESULT = JSON.stringify({ created: 1_700_000_000, data: [{ b64_json: 'aGVsbG8=' }] });
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00]);
const GOOD = [file('image', PNG, 'a.png'), text('prompt', 'Make it red')];

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.upstream.reset();
  gateway.upstream.on('POST', PATH, (request, response) => {
    const streams = request.body.includes('name="stream"\r\n\r\ntrue\r\n');
    response.writeHead(200, { 'content-type': streams ? 'text/event-stream' : 'application/json' });
    response.end(streams ? 'data: {}\n\n' : RESULT);
  });
});

const send = (body: Buffer, given: Key = key) =>
  gateway.call('POST', PATH, {
    key: given,
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body,
  });
const edit = (...parts: TestPart[]) => send(formOf(parts));

describe('POST /v1/images/edits', () => {
  test('a form without a model is forwarded byte for byte', async () => {
    const body = formOf([...GOOD, file('mask', PNG, 'mask.png'), text('n', '2')]);
    const response = await send(body);
    expect(response.text).toBe(RESULT);
    expect(response.headers.get('x-gw-model')).toBeNull();
    expect((await gateway.upstream.received(0)).body.equals(body)).toBe(true);
  });

  test('repeated image[] fields are accepted instead of image or in addition', async () => {
    const images = [file('image[]', PNG), file('image[]', PNG)];
    expect((await edit(...images, text('prompt', 'x'), text('model', 'gpt-image-1'))).status).toBe(200);
    expect((await edit(...GOOD, ...images)).status).toBe(200);
  });

  test('a streamed response is forwarded', async () => {
    const response = await edit(...GOOD, text('stream', 'true'), text('partial_images', '2'));
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.text).toBe('data: {}\n\n');
  });

  test('the OpenAI SDK can send one image or several', async () => {
    const client = new OpenAI({ apiKey: key.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    const image = await toFile(PNG, 'a.png', { type: 'image/png' });
    const one = await client.images.edit({ image, prompt: 'x', model: 'gpt-image-1', n: 1 });
    expect(one.data?.[0]?.b64_json).toBe('aGVsbG8=');
    await client.images.edit({ image: [image, image], prompt: 'x', model: 'gpt-image-1', quality: 'high' });
    expect(gateway.upstream.requests).toHaveLength(2);
  });

  test.each<[string, TestPart[], string]>([
    ['a missing image', [text('prompt', 'x')], '400 missing_required_parameter image'],
    ['an empty form', [], '400 missing_required_parameter image'],
    ['a missing prompt', [file('image')], '400 missing_required_parameter prompt'],
    ['an empty prompt', [file('image'), text('prompt', '')], '400 invalid_value prompt'],
    ['a text as the image', [text('image', 'x'), text('prompt', 'x')], '400 invalid_type image'],
    ['a text among images', [file('image[]'), text('image[]', 'x'), text('prompt', 'x')], '400 invalid_type image'],
    ['a text as the mask', [...GOOD, text('mask', 'x')], '400 invalid_type mask'],
    ['n 0', [...GOOD, text('n', '0')], '400 invalid_value n'],
    ['n many', [...GOOD, text('n', 'many')], '400 invalid_value n'],
    ['stream yes', [...GOOD, text('stream', 'yes')], '400 invalid_value stream'],
    ['quality hd', [...GOOD, text('quality', 'hd')], '400 invalid_value quality'],
    ['a chat model', [...GOOD, text('model', 'gpt-4o')], '400 model_endpoint_mismatch model'],
    ['an empty model', [...GOOD, text('model', '')], '403 model_not_available model'],
    ['a second model', [...GOOD, text('model', 'dall-e-2'), text('model', 'dall-e-2')], '400 invalid_value model'],
    ['more than 10 MiB', [file('image', Buffer.alloc(10 * 1024 * 1024)), text('prompt', 'x')], '413 request_too_large'],
  ])('%s is rejected', async (_what, parts, expected) => {
    expect(errorCodeIn(await edit(...parts))).toBe(expected);
    expect(gateway.upstream.requests).toHaveLength(0);
  });

  test('a key with allowed models must name one, because a default model would bypass them', async () => {
    const limited = await gateway.createKey({ allowed_models: ['gpt-image-1'] });
    expect(errorCodeIn(await send(formOf(GOOD), limited))).toBe('403 model_not_allowed model');
    expect(errorCodeIn(await send(formOf([...GOOD, text('model', 'dall-e-2')]), limited))).toBe(
      '403 model_not_allowed model',
    );
    expect((await snapshot(gateway, limited)).today.used).toBe(0);
    expect((await send(formOf([...GOOD, text('model', 'gpt-image-1')]), limited)).status).toBe(200);
  });

  test('arbitrary bytes as a form get 200, 400 or 403', async () => {
    const whole = formOf(GOOD);
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array)),
      fc.tuple(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 })).map(([at, byte]) => {
        const changed = Buffer.from(whole);
        changed[at] = byte;
        return changed;
      }),
      fc.nat({ max: whole.length }).map((end) => whole.subarray(0, end)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (body) => {
        const response = await send(body);
        expect([200, 400, 403]).toContain(response.status);
        if (response.status !== 200) expect(errorIn(response).request_id).toBe(response.headers.get('x-request-id'));
      }),
      { numRuns: 200 },
    );
  });
});
