import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { errorCodeIn } from '../../support/responses.js';
import { startGateway } from '../../support/ready-gateway.js';
import { BOUNDARY, file, formOf, text, type TestPart } from '../../support/multipart-forms.js';
import type { Key, TestGateway } from '../../support/gateway.js';

const IMAGE_TOOL = { type: 'image_generation', model: 'gpt-image-1' };
const NAMED: readonly (readonly [place: string, path: string, body: object])[] = [
  [
    'a tool in input',
    '/v1/responses',
    {
      input: [
        { type: 'additional_tools', role: 'developer', tools: [IMAGE_TOOL] },
        { role: 'user', content: 'x' },
      ],
    },
  ],
  ['a tool search result', '/v1/responses', { input: [{ type: 'tool_search_output', tools: [IMAGE_TOOL] }] }],
  ['a tool namespace', '/v1/responses', { input: 'x', tools: [{ type: 'namespace', name: 'n', tools: [IMAGE_TOOL] }] }],
  [
    'a tool added in messages',
    '/v1/messages',
    {
      max_tokens: 1,
      messages: [
        {
          role: 'user',
          content: [{ type: 'tool_addition', tool: { type: 'tool_definition', definition: IMAGE_TOOL } }],
        },
      ],
    },
  ],
  [
    'moderation',
    '/v1/chat/completions',
    { messages: [{ role: 'user', content: 'x' }], moderation: { model: 'gpt-image-1' } },
  ],
];
const MODEL: Readonly<Record<string, string>> = { '/v1/messages': 'claude-3-haiku-20240307' };

describe.each(['specification', 'current'])('the models allowed for a key with GW_PROFILE=%s', (profile) => {
  let gateway: TestGateway;
  let limited: Key;
  beforeAll(async () => {
    gateway = await startGateway({ GW_PROFILE: profile });
    limited = await gateway.createKey({ allowed_models: ['gpt-4o', MODEL['/v1/messages'], 'dall-e-2'] });
  });
  afterAll(() => gateway.stop());
  beforeEach(() => gateway.upstream.reset());

  test.each(NAMED)('a model that the key does not allow is rejected with 403 in %s', async (_place, path, body) => {
    const json = JSON.stringify({ model: MODEL[path] ?? 'gpt-4o', ...body });
    const post = (sent: string) => gateway.call('POST', path, { key: limited, body: sent });
    expect(errorCodeIn(await post(json))).toBe('403 model_not_allowed model');
    const twice = json.replace('"model":"gpt-image-1"', '"model":"gpt-image-1","mode\\u006c":"gpt-4o"');
    expect(errorCodeIn(await post(twice))).toBe('400 invalid_value model');
    expect(gateway.upstream.requests).toHaveLength(0);
  });

  test('an SVG model that the key does not allow is rejected with 403 in a form', async () => {
    const edit = (...parts: TestPart[]) =>
      gateway.call('POST', '/v1/images/edits', {
        key: limited,
        headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
        body: formOf([file('image', 'x', 'a.png'), text('prompt', 'x'), text('model', 'dall-e-2'), ...parts]),
      });
    expect(errorCodeIn(await edit(text('svg[model]', 'gpt-image-1')))).toBe('403 model_not_allowed model');
    for (const name of ['svg[ model]', 'svg.model', 'svg%5Bmodel%5D', 'svg[model][]', 'svg[MODEL]'])
      expect([name, errorCodeIn(await edit(text(name, 'gpt-image-1')))]).toEqual([name, '400 invalid_value model']);
    const again = [text('svg[model]', 'gpt-4o'), text('svg[model]', 'gpt-image-1')];
    expect(errorCodeIn(await edit(...again))).toBe('400 invalid_value model');
    expect(gateway.upstream.requests).toHaveLength(0);
    gateway.upstream.on('POST', '/v1/images/edits', (_request, response) => void response.writeHead(200).end('{}'));
    expect(errorCodeIn(await edit(text('svg[model]', 'gpt-4o'), text('user', 'svg[model]')))).toBe('200');
  });
});

test('with GW_PROFILE=current, an allow policy makes an unlisted model available', async () => {
  const gateway = await startGateway({ GW_PROFILE: 'current' });
  try {
    const key = await gateway.createKey();
    const ask = async () =>
      errorCodeIn(await gateway.call('POST', '/v1/responses', { key, body: { model: 'my-deployment', input: 'x' } }));
    gateway.upstream.on('POST', '/v1/responses', (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"resp_1"}');
    });
    expect(await ask()).toBe('403 model_not_available model');
    const entry = await gateway.admin('POST', '/admin/model-allowlist', { model: 'my-deployment', enabled: true });
    expect(entry.body).toMatchObject({ enabled: true, availability: 'allowlist_only' });
    expect(await ask()).toBe('200');
    const list = await gateway.call('GET', '/v1/models/my-deployment', { key });
    expect(list.body).toMatchObject({ created: 0, owned_by: 'system', gw_available: true });
  } finally {
    await gateway.stop();
  }
});
