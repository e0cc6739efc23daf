import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { BOUNDARY, file, formOf } from '../support/multipart-forms.js';
import { TestGateway, UPSTREAM_KEY } from '../support/gateway.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';

const MESSAGES_KEY = 'messages-credential-of-its-own';
const VERSION = { 'anthropic-version': '2023-06-01' };
const FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
const SHARED = [
  'GET /v1/files',
  'POST /v1/files',
  'GET /v1/files/f',
  'DELETE /v1/files/f',
  'GET /v1/files/f/content',
  'GET /v1/skills',
  'POST /v1/skills',
  'GET /v1/skills/s',
  'DELETE /v1/skills/s',
  'GET /v1/skills/s/versions',
  'POST /v1/skills/s/versions',
  'GET /v1/skills/s/versions/1',
  'DELETE /v1/skills/s/versions/1',
];

let openai: ScriptedUpstream;
let anthropic: ScriptedUpstream;
let current: TestGateway;
let specified: TestGateway;
beforeAll(async () => {
  [openai, anthropic] = await Promise.all([startUpstream(), startUpstream()]);
  const env = { GW_UPSTREAM_MESSAGES_BASE_URL: anthropic.url, GW_UPSTREAM_MESSAGES_API_KEY: MESSAGES_KEY };
  current = await TestGateway.start({ ...env, GW_PROFILE: 'current' }, { upstream: openai });
  specified = await TestGateway.start(env, { upstream: openai });
});
afterAll(async () => {
  await Promise.all([current.stop(), specified.stop()]);
  await Promise.all([openai.stop(), anthropic.stop()]);
});
beforeEach(() => {
  for (const [upstream, vendor] of [
    [openai, 'openai'],
    [anthropic, 'anthropic'],
  ] as const) {
    upstream.reset();
    for (const route of SHARED) {
      const [method, path] = route.split(' ');
      upstream.on(method!, path!, (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ vendor }));
      });
    }
  }
});

async function vendorOf(gateway: TestGateway, route: string, headers: Record<string, string> = {}) {
  const [method, path] = route.split(' ');
  const upload = method === 'POST' ? { body: formOf([file('file')]), headers: { ...FORM, ...headers } } : { headers };
  const key = await gateway.createKey();
  return (await gateway.call<{ vendor: string }>(method!, path!, { key, ...upload })).body.vendor;
}

describe.each(SHARED)('%s', (route) => {
  test('a request with anthropic-version goes to the Anthropic account', async () => {
    expect(await vendorOf(current, route, VERSION)).toBe('anthropic');
    const [request] = anthropic.requests;
    expect(request!.header('x-api-key')).toBe(MESSAGES_KEY);
    expect(request!.header('authorization')).toBeUndefined();
    expect(request!.header('anthropic-version')).toBe('2023-06-01');
  });

  test('a request without anthropic-version goes to the OpenAI account', async () => {
    expect(await vendorOf(current, route)).toBe('openai');
    expect(openai.requests.at(-1)!.header('authorization')).toBe(`Bearer ${UPSTREAM_KEY}`);
  });
});

test('the specification profile sends every file request to the OpenAI account', async () => {
  for (const route of SHARED.filter((each) => each.includes('/files')))
    expect([route, await vendorOf(specified, route, VERSION)]).toEqual([route, 'openai']);
  expect(anthropic.requests).toEqual([]);
});

test('a route of only one vendor ignores anthropic-version', async () => {
  openai.on('GET', '/v1/videos', (_request, response) => void response.end('{}'));
  const key = await current.createKey();
  expect((await current.call('GET', '/v1/videos', { key, headers: VERSION })).status).toBe(200);
});
