import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import type { Key, TestGateway } from '../../support/gateway.js';
import { errorCodeIn } from '../../support/responses.js';
import { startGateway } from '../../support/ready-gateway.js';

const PATH = '/v1/audio/speech';
const SPEECH = { model: 'tts-1', input: 'Hello.', voice: 'alloy' };
/** Bytes that would not survive decoding as UTF-8. */
const AUDIO = Buffer.from([0xff, 0xfb, 0x90, 0x00, 0x0d, 0x0a, 0x80, 0xfe, 0x00]);

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.upstream.reset();
  gateway.upstream.on('POST', PATH, (_request, response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' });
    response.end(AUDIO);
  });
});

const speak = (body: unknown, given: Key = key) => gateway.call('POST', PATH, { key: given, body });

describe('POST /v1/audio/speech', () => {
  test('the audio is returned unchanged, with its content type and the requested model', async () => {
    const body = JSON.stringify({ ...SPEECH, speed: 1.0 }, null, 2);
    const response = await fetch(gateway.url + PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
      body,
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(AUDIO)).toBe(true);
    expect(response.headers.get('content-type')).toBe('audio/mpeg');
    expect(response.headers.get('x-gw-model')).toBe('tts-1');
    expect((await gateway.upstream.received(0)).body.toString()).toBe(body);
  });

  test('the first bytes are forwarded before the upstream finishes', async () => {
    let finish = () => {};
    gateway.upstream.on('POST', PATH, (_request, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      response.write(AUDIO);
      finish = () => response.end(AUDIO);
    });
    const response = await fetch(gateway.url + PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(SPEECH),
    });
    const reader = response.body!.getReader();
    expect(Buffer.from((await reader.read()).value).equals(AUDIO)).toBe(true);
    finish();
    expect(Buffer.from((await reader.read()).value).equals(AUDIO)).toBe(true);
    expect((await reader.read()).done).toBe(true);
  });

  test('the OpenAI SDK can read the audio', async () => {
    const client = new OpenAI({ apiKey: key.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    const speech = await client.audio.speech.create({ model: 'tts-1', input: 'Hello.', voice: 'alloy' });
    expect(Buffer.from(await speech.arrayBuffer()).equals(AUDIO)).toBe(true);
  });

  test.each<[object, string]>([
    [{ model: undefined }, '400 missing_required_parameter model'],
    [{ input: undefined }, '400 missing_required_parameter input'],
    [{ voice: undefined }, '400 missing_required_parameter voice'],
    [{ voice: {} }, '400 missing_required_parameter voice.id'],
    [{ input: 'x'.repeat(4097) }, '400 invalid_value input'],
    [{ speed: 4.01 }, '400 invalid_value speed'],
    [{ speed: '1' }, '400 invalid_type speed'],
    [{ response_format: 'ogg' }, '400 invalid_value response_format'],
    [{ instructions: 'slowly' }, '400 unsupported_value instructions'],
    [{ stream_format: 'sse' }, '400 unsupported_value stream_format'],
    [{ model: 'gpt-4o' }, '400 model_endpoint_mismatch model'],
    [{ model: 'whisper-1' }, '400 model_endpoint_mismatch model'],
    [{ model: 'tts-9' }, '403 model_not_available model'],
  ])('%j is rejected with %s', async (patch, expected) => {
    expect(errorCodeIn(await speak({ ...SPEECH, ...patch }))).toBe(expected);
    expect(gateway.upstream.requests).toHaveLength(0);
  });

  test('accepts only JSON and enforces the allowed models of the key', async () => {
    const form = { key, headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: '--x--' };
    expect(errorCodeIn(await gateway.call('POST', PATH, form))).toBe('400 invalid_content_type');
    const limited = await gateway.createKey({ allowed_models: ['tts-1-hd'] });
    expect(errorCodeIn(await speak(SPEECH, limited))).toBe('403 model_not_allowed model');
    expect(errorCodeIn(await speak({ ...SPEECH, model: 'tts-1-hd' }, limited))).toBe('200');
  });
});
