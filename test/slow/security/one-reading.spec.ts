import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { GatewayRouteSpec } from '../../../src/platform/routes/route-spec.js';
import { enabledRoutes } from '../../support/enabled-routes.js';
import { TestGateway, type Key } from '../../support/gateway.js';
import { BOUNDARY, file, formOf, text, type TestPart } from '../../support/multipart-forms.js';
import { errorCodeIn } from '../../support/responses.js';

const ALL = { GW_ROUTES: 'all', GW_UNBILLED_ROUTES: 'batches,fine_tuning' };
const FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };

/** Bodies that two parsers read differently, with `param` of the error. */
const BODIES: readonly (readonly [body: string, param: string])[] = [
  ['{"model":"gpt-4o","Model":"gpt-4.1"}', 'model'],
  ['{"\\u004dODEL":"gpt-4.1","model":"gpt-4o"}', 'model'],
  ['{"model":"gpt-4o","model\u017f":["gpt-4.1"]}', 'model'],
  ['{"model":"gpt-4o","fallbac\u212as":["gpt-4.1"]}', 'model'],
  ['{"model":"gpt-4o","model\\u0000":"gpt-4.1"}', 'model'],
  ['{"model":"gpt-4o","model":"gpt-4o"}', 'model'],
  ['{"model":"gpt-4o","tools":[{"type":"function","Type":"image_generation","model":"gpt-4.1"}]}', 'tools'],
  ['{"model":"gpt-4o","plugins":[{"Model":"gpt-4.1"}]}', 'model'],
  ['{"model":"gpt-4o","max_tokens":9,"max_tokens":1}', 'max_tokens'],
  ['{"model":"gpt-4o","Max_Tokens":9,"max_tokens":1}', 'max_tokens'],
  ['{"model":"gpt-4o","N":9}', 'n'],
  ['{"model":"gpt-4o","stream":true,"stream":false}', 'stream'],
  ['{"model":"gpt-4o","thinking":{"budget_tokens":9,"budget_tokens":1}}', 'thinking'],
  ['{"model":"gpt-4o","messages":[],"messages":[]}', 'messages'],
  ['{"model":"gpt-4o","Input":"x"}', 'input'],
  ['{"input_file_id":"file-1","input_file_id":"file-2"}', 'input_file_id'],
  ['{"input_file_id":"file-1","Input_File_ID":"file-2"}', 'input_file_id'],
  ['{"training_file":"file-1","training_file":"file-2"}', 'training_file'],
  ['{"assistant_id":"asst-1","ASSISTANT_ID":"asst-2"}', 'assistant_id'],
  ['{"endpoint":"/v1/embeddings","endpoint":"/v1/responses"}', 'endpoint'],
  ['{"session":{"model":"gpt-4o","Model":"gpt-4.1"}}', 'model'],
];

/** Parts of forms that two parsers read differently, with `param` of the error. */
const PARTS: readonly (readonly [parts: readonly TestPart[], param: string])[] = [
  [[text('Model', 'gpt-4.1')], 'model'],
  [[text('MODEL[]', 'gpt-4.1')], 'model'],
  [[text('model\u017f', 'gpt-4.1')], 'model'],
  [[text('fallbac%E2%84%AAs', 'gpt-4.1')], 'model'],
  [[text('svg', '{"model":"gpt-4.1"}')], 'model'],
  [[text('tools', '[{"type":"image_generation","model":"gpt-4.1"}]')], 'model'],
  [[text('svg[Model]', 'gpt-4.1')], 'model'],
  [[text('plugins[0][models][0]', 'gpt-4.1')], 'model'],
  [[text('plugins.0.model', 'gpt-4.1')], 'model'],
  [[text('extra_body[answering_model][x]', 'gpt-4.1')], 'model'],
  [[text('N', '9')], 'n'],
  [[text('n[]', '9')], 'n'],
  [[text('\u017fize', 'a')], 'size'],
  [[text('prompt', 'a'), text('prompt', 'b')], 'prompt'],
  [[text('Prompt', 'a')], 'prompt'],
  [[text('stream', 'true'), text('stream', 'false')], 'stream'],
];

describe.each(['specification', 'current'])('bodies with two readings with GW_PROFILE=%s', (profile) => {
  let gateway: TestGateway;
  let key: Key;
  let routes: readonly (readonly [path: string, body: GatewayRouteSpec['body']])[];
  beforeAll(async () => {
    gateway = await TestGateway.start({ GW_PROFILE: profile, ...ALL });
    key = await gateway.createKey({ allowed_models: ['gpt-4o'] });
    routes = enabledRoutes(gateway.app).flatMap(({ method, path, spec }) =>
      method === 'POST' && spec?.kind === 'gateway' ? [[path.replace(/:\w+/g, 'x-1'), spec.body] as const] : [],
    );
  });
  afterAll(() => gateway.stop());
  beforeEach(() => gateway.upstream.reset());

  /** Returns the routes that do not answer as expected. */
  async function unexpected(kinds: readonly string[], options: object, expected: string): Promise<string[]> {
    const reading = routes.filter(([, body]) => kinds.includes(body));
    expect(reading.length).toBeGreaterThan(3);
    const received: string[] = [];
    for (const [path] of reading) {
      const code = errorCodeIn(await gateway.call('POST', path, { key, ...options }));
      if (code !== expected) received.push(`${path}: ${code}`);
    }
    return received;
  }

  test.each(BODIES)('%s returns 400 on every route that reads JSON', async (body, param) => {
    expect(await unexpected(['json', 'either'], { body }, `400 invalid_value ${param}`)).toEqual([]);
    expect(gateway.upstream.requests).toEqual([]);
  });

  test.each(PARTS)('%j returns 400 on every route that reads forms', async (parts, param) => {
    const body = formOf([file('file'), ...parts]);
    expect(await unexpected(['multipart', 'either'], { body, headers: FORM }, `400 invalid_value ${param}`)).toEqual(
      [],
    );
    expect(gateway.upstream.requests).toEqual([]);
  });
});

describe('fields that equal others except for case, with GW_PROFILE=specification', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await TestGateway.start({ GW_PROFILE: 'specification' });
  });
  afterAll(() => gateway.stop());

  const answerFor = async (key: Key, fields: object) =>
    errorCodeIn(await gateway.chat(key, { model: 'gpt-4o-mini', ...fields }));

  test('are accepted if the key can use all models and has no limits', async () => {
    const key = await gateway.createKey();
    expect(await answerFor(key, { Model: 'gpt-4o' })).toBe('200');
    expect(await answerFor(key, { Max_Tokens: 9 })).toBe('200');
  });

  test('are rejected for a key with allowed models', async () => {
    const key = await gateway.createKey({ allowed_models: ['gpt-4o-mini'] });
    expect(await answerFor(key, { Model: 'gpt-4o' })).toBe('400 invalid_value model');
  });

  test('are rejected while a limit applies to the request', async () => {
    const key = await gateway.createKey();
    const limit = { scope: 'key', key_id: key.id, measure: 'tokens', period: 'day', amount: 1_000_000 };
    expect((await gateway.admin('POST', '/admin/limits', limit)).status).toBe(201);
    expect(await answerFor(key, { Max_Tokens: 9 })).toBe('400 invalid_value max_tokens');
    expect(await answerFor(await gateway.createKey(), { Max_Tokens: 9 })).toBe('200');
  });

  test('are rejected while the policy blocks a model', async () => {
    const key = await gateway.createKey();
    await gateway.admin('POST', '/admin/model-allowlist', { model: 'gpt-4o', enabled: false });
    expect(await answerFor(key, { Model: 'gpt-4o' })).toBe('400 invalid_value model');
  });
});
