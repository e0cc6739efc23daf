import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { formOf, BOUNDARY, file, text } from '../../support/multipart-forms.js';
import { useSandbox } from '../../support/sandbox-client.js';
import { TestGateway, type Key } from '../../support/gateway.js';
import { documentOf, operationsOf, type Operation } from '../../support/openapi-document.js';

const sandbox = useSandbox();
let gateway: TestGateway;
let operations: Map<string, Operation>;
let key: Key;
beforeAll(async () => {
  gateway = await TestGateway.start({ GW_UPSTREAM_BASE_URL: sandbox.baseUrl() });
  operations = operationsOf(await documentOf(gateway));
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());

const documented = (name: string) => Object.keys(operations.get(name)!.responses['200']!.content!);
const typeOf = (headers: Headers) => headers.get('content-type')!.split(';')[0]!;

test.each(['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'])(
  'the Content-Type of speech as %s is documented',
  async (format) => {
    const body = { model: 'tts-1', input: 'Hello', voice: 'alloy', response_format: format };
    const { status, headers } = await gateway.call('POST', '/v1/audio/speech', { key, body });
    expect(status).toBe(200);
    expect(documented('POST /v1/audio/speech')).toContain(typeOf(headers));
  },
);

test.each(['json', 'text', 'srt', 'verbose_json', 'vtt'])(
  'the Content-Type of a transcription as %s is documented',
  async (format) => {
    const body = formOf([file('file'), text('model', 'whisper-1'), text('response_format', format)]);
    const type = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
    const { status, headers } = await gateway.call('POST', '/v1/audio/transcriptions', { key, body, headers: type });
    expect(status).toBe(200);
    expect(documented('POST /v1/audio/transcriptions')).toContain(typeOf(headers));
  },
);

test.each([
  'GET /v1/files',
  'GET /v1/assistants',
  'GET /v1/threads',
  'GET /v1/vector_stores',
  'GET /v1/models',
  'GET /v1/usage',
])('the Content-Type of %s is documented', async (name) => {
  const { status, headers } = await gateway.call('GET', name.split(' ')[1]!, { key });
  expect([status, documented(name)]).toEqual([200, [typeOf(headers)]]);
});
