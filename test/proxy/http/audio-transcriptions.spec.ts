import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import OpenAI, { toFile } from 'openai';
import { BOUNDARY, file, formOf, text, type TestPart } from '../../support/multipart-forms.js';
import type { Key, TestGateway } from '../../support/gateway.js';
import { errorIn, errorCodeIn, snapshot } from '../../support/responses.js';
import { startGateway } from '../../support/ready-gateway.js';
import { Wire } from '../../support/wire.js';

const PATH = '/v1/audio/transcriptions';
const MIB = 1024 * 1024;
const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const TEXT = JSON.stringify({ text: 'Hello there.' });
/** Audio bytes that contain sequences similar to a boundary. */
const SOUND = Buffer.concat([Buffer.from('RIFF\r\n--\r\n----\r\n\r\n'), Buffer.from([0, 0xff, 0x0d, 0x0a, 0x80])]);

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
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': TEXT.length });
    response.end(TEXT);
  });
});

const send = (body: Buffer | string, { type = FORM_TYPE, given = key } = {}) =>
  gateway.call('POST', PATH, { key: given, headers: { 'content-type': type }, body });
const transcribe = (...parts: TestPart[]) => send(formOf(parts));
const GOOD = [file('file', SOUND), text('model', 'whisper-1')];
const head = (...lines: string[]) =>
  [`POST ${PATH} HTTP/1.1`, 'Host: gateway', `Authorization: Bearer ${key.key}`, ...lines, '', ''].join('\r\n');

/** Parses the forwarded body with its forwarded content type, and returns the form. */
async function receivedForm(): Promise<FormData> {
  const { body, header } = await gateway.upstream.received(0).then((request) => ({
    body: new Uint8Array(request.body),
    header: request.header('content-type') ?? '',
  }));
  return new Response(body, { headers: { 'content-type': header } }).formData();
}

describe('forwarding of a transcription', () => {
  test('the form is forwarded unchanged, and the response names the requested model', async () => {
    const body = formOf([...GOOD, text('timestamp_granularities[]', 'word'), text('x_other', 'passes')]);
    const response = await send(body, { type: `multipart/form-data; charset=UTF-8; boundary="${BOUNDARY}"` });
    expect(response.text).toBe(TEXT);
    expect(response.headers.get('x-gw-model')).toBe('whisper-1');
    const request = await gateway.upstream.received(0);
    expect(request.body.equals(body)).toBe(true);
    expect(request.header('content-type')).toBe(`multipart/form-data; charset=UTF-8; boundary="${BOUNDARY}"`);
  });

  test('a form that OpenAI SDK 4 ends with two line breaks is forwarded unchanged', async () => {
    const body = Buffer.concat([formOf(GOOD), Buffer.from('\r\n')]);
    expect((await send(body)).status).toBe(200);
    expect((await gateway.upstream.received(0)).body.equals(body)).toBe(true);
  });

  test('a form from fetch and FormData is forwarded', async () => {
    const form = new FormData();
    form.append('file', new File([SOUND], 'a "b".mp3', { type: 'audio/mpeg' }));
    form.append('model', 'whisper-1');
    form.append('prompt', 'Zoë\n👋');
    form.append('quo"te\n', 'x');
    const response = await fetch(gateway.url + PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.key}` },
      body: form,
    });
    expect(response.status).toBe(200);
    const received = await receivedForm();
    expect(received.get('prompt')).toBe('Zoë\r\n👋');
    expect(Buffer.from(await (received.get('file') as File).arrayBuffer()).equals(SOUND)).toBe(true);
  });

  test('a form from the OpenAI SDK is forwarded', async () => {
    const client = new OpenAI({ apiKey: key.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    const result = await client.audio.transcriptions.create({
      file: await toFile(SOUND, 'é.mp3'),
      model: 'whisper-1',
      response_format: 'verbose_json',
      temperature: 0.2,
      timestamp_granularities: ['word', 'segment'],
    });
    expect(result.text).toBe('Hello there.');
    expect((await receivedForm()).getAll('timestamp_granularities[]')).toEqual(['word', 'segment']);
  });

  test('a large file from curl, which waits for 100 Continue, is forwarded', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'transcription-'));
    try {
      await writeFile(join(folder, 'a;b"c.mp3'), Buffer.alloc(2 * MIB, SOUND));
      const { stdout } = await promisify(execFile)('curl', [
        '--silent',
        '--header',
        `Authorization: Bearer ${key.key}`,
        '--form',
        `file=@"${join(folder, 'a;b\\"c.mp3')}"`,
        '--form',
        'model=whisper-1',
        gateway.url + PATH,
      ]);
      expect(stdout).toBe(TEXT);
      expect(((await receivedForm()).get('file') as File).size).toBe(2 * MIB);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('a form in chunks is forwarded unchanged, wherever it is split', async () => {
    const body = formOf(GOOD);
    const chunk = (bytes: Buffer) => [`${bytes.length.toString(16)}\r\n`, bytes, '\r\n'];
    const wire = await Wire.open(gateway.port);
    for (let cut = 1; cut < body.length; cut++) {
      wire.write(head(`Content-Type: ${FORM_TYPE}`, 'Transfer-Encoding: chunked'));
      const pieces = [...chunk(body.subarray(0, cut)), ...chunk(body.subarray(cut)), '0\r\n\r\n'];
      wire.write(Buffer.concat(pieces.map((piece) => Buffer.from(piece))));
      expect((await wire.response()).status).toBe(200);
      expect((await gateway.upstream.received(cut - 1)).body.equals(body)).toBe(true);
    }
    wire.close();
  });
});

describe('size of a transcription', () => {
  test('a file of 25 MiB is forwarded, and a larger one returns 413 and does not count', async () => {
    const mine = await gateway.createKey();
    const sized = (bytes: number) => formOf([file('file', Buffer.alloc(bytes, 'a')), text('model', 'whisper-1')]);
    expect(errorCodeIn(await send(sized(25 * MIB + 1), { given: mine }))).toBe('413 request_too_large');
    expect((await snapshot(gateway, mine)).today.used).toBe(0);
    expect(gateway.upstream.requests).toHaveLength(0);
    const body = sized(25 * MIB);
    expect((await send(body, { given: mine })).status).toBe(200);
    expect((await gateway.upstream.received(0)).body.equals(body)).toBe(true);
  });

  test('a form over 26 MiB returns 413 before it is read', async () => {
    const response = await Wire.once(
      gateway.port,
      head(`Content-Type: ${FORM_TYPE}`, `Content-Length: ${26 * MIB + 1}`),
    );
    expect(errorCodeIn(response)).toBe('413 request_too_large');
  });
});

describe('invalid transcription', () => {
  test.each<[string, TestPart[], string]>([
    ['a missing file', [text('model', 'whisper-1')], '400 missing_required_parameter file'],
    ['a missing model', [file('file')], '400 missing_required_parameter model'],
    ['an empty form', [], '400 missing_required_parameter file'],
    ['a text as the file', [text('file', 'x'), text('model', 'whisper-1')], '400 invalid_type file'],
    ['language eng', [...GOOD, text('language', 'eng')], '400 invalid_value language'],
    ['temperature hot', [...GOOD, text('temperature', 'hot')], '400 invalid_type temperature'],
    ['temperature 1.5', [...GOOD, text('temperature', '1.5')], '400 invalid_value temperature'],
    ['response_format xml', [...GOOD, text('response_format', 'xml')], '400 invalid_value response_format'],
    [
      'an unknown granularity',
      [...GOOD, text('timestamp_granularities[]', 'word'), text('timestamp_granularities[]', 'char')],
      '400 invalid_value timestamp_granularities',
    ],
    ['a chat model', [file('file'), text('model', 'gpt-4o')], '400 model_endpoint_mismatch model'],
    ['an unknown model', [file('file'), text('model', 'whisper-9')], '403 model_not_available model'],
    ['a model over 200 characters', [file('file'), text('model', 'm'.repeat(201))], '400 invalid_value model'],
    ['a second model', [...GOOD, text('model', 'whisper-1')], '400 invalid_value model'],
    ['a second model in brackets', [...GOOD, text('model[]', 'gpt-4o')], '400 invalid_value model'],
    ['a fallback of another kind', [...GOOD, text('models', 'gpt-4o')], '400 model_endpoint_mismatch model'],
    ['a model with a filename', [file('file'), file('model', 'whisper-1')], '400 invalid_value model'],
    [
      'thousands of parts',
      [...GOOD, ...Array.from({ length: 5_000 }, (_, at) => text(`f${at}`, 'x'))],
      '400 invalid_value model',
    ],
    [
      'a huge part header',
      [...GOOD, { head: `Content-Disposition: form-data; name="${'n'.repeat(MIB)}"` }],
      '400 invalid_value model',
    ],
  ])('%s is rejected', async (_what, parts, expected) => {
    expect(errorCodeIn(await transcribe(...parts))).toBe(expected);
    expect(gateway.upstream.requests).toHaveLength(0);
  });

  test('a truncated form is rejected', async () => {
    expect(errorCodeIn(await send(formOf(GOOD).subarray(0, -10)))).toBe('400 invalid_value model');
  });

  test.each(['application/json', 'multipart/form-data', 'multipart/form-data; boundary=', 'text/plain'])(
    'the content type %s is rejected with a message that names the required one',
    async (type) => {
      const response = await send(formOf(GOOD), { type });
      expect(errorCodeIn(response)).toBe('400 invalid_content_type');
      expect(errorIn(response).message).toContain('multipart/form-data');
    },
  );

  test('the allowed models of the key apply, and a rejected request does not count', async () => {
    const limited = await gateway.createKey({ allowed_models: ['gpt-4o-transcribe'] });
    expect(errorCodeIn(await send(formOf(GOOD), { given: limited }))).toBe('403 model_not_allowed model');
    expect((await snapshot(gateway, limited)).today.used).toBe(0);
    const allowed = formOf([file('file'), text('model', 'gpt-4o-transcribe')]);
    expect((await send(allowed, { given: limited })).status).toBe(200);
  });

  test('audio translations return 404 route_not_found', async () => {
    const response = await gateway.call('POST', '/v1/audio/translations', { key, body: '' });
    expect(errorCodeIn(response)).toBe('404 route_not_found');
  });
});
