import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import type { Key, TestGateway } from '../../support/gateway.js';
import { errorCodeIn } from '../../support/responses.js';
import { startGateway } from '../../support/ready-gateway.js';

const PATH = '/v1/images/generations';
const IMAGE = { model: 'gpt-image-1', prompt: 'A lighthouse' };
const RESULT = JSON.stringify({ created: 1_700_000_000, data: [{ b64_json: 'aGVsbG8=' }] });

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
    if (request.json()['stream'] === true) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('event: image_generation.completed\ndata: {"b64_json":"aGVsbG8="}\n\n');
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(RESULT);
  });
});

const generate = (body: unknown) => gateway.call('POST', PATH, { key, body });

describe('POST /v1/images/generations', () => {
  test('request and response are forwarded unchanged, and a header names the requested model', async () => {
    const body = `{"prompt":"A lighthouse" , "n":1.0,"model":"gpt-image-1","x":12345678901234567890}`;
    const response = await generate(body);
    expect(response.text).toBe(RESULT);
    expect(response.headers.get('x-gw-model')).toBe('gpt-image-1');
    expect((await gateway.upstream.received(0)).body.toString()).toBe(body);
  });

  test('a streamed response is forwarded', async () => {
    const response = await generate({ ...IMAGE, stream: true, partial_images: 1 });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.text).toContain('event: image_generation.completed');
  });

  test('an image of several megabytes is returned completely', async () => {
    const large = JSON.stringify({ created: 1, data: [{ b64_json: 'a'.repeat(5_000_000) }] });
    gateway.upstream.on('POST', PATH, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(large);
    });
    expect((await generate(IMAGE)).text).toBe(large);
  });

  test('the OpenAI SDK can read the response', async () => {
    const client = new OpenAI({ apiKey: key.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    const { data } = await client.images.generate({ model: 'gpt-image-1', prompt: 'A lighthouse', n: 2 });
    expect(data?.[0]?.b64_json).toBe('aGVsbG8=');
  });

  test.each<[object, string]>([
    [{ model: undefined }, '400 missing_required_parameter model'],
    [{ prompt: undefined }, '400 missing_required_parameter prompt'],
    [{ n: 11 }, '400 invalid_value n'],
    [{ n: '1' }, '400 invalid_type n'],
    [{ model: 'dall-e-3', n: 2 }, '400 unsupported_value n'],
    [{ quality: 'best' }, '400 invalid_value quality'],
    [{ output_compression: 101 }, '400 invalid_value output_compression'],
    [{ user: 'u'.repeat(257) }, '400 invalid_value user'],
    [{ model: 'gpt-4o' }, '400 model_endpoint_mismatch model'],
  ])('%j is rejected with %s', async (patch, expected) => {
    expect(errorCodeIn(await generate({ ...IMAGE, ...patch }))).toBe(expected);
    expect(gateway.upstream.requests).toHaveLength(0);
  });
});
