import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { modelsInside } from '../../src/platform/json/models-in-body.js';
import { countStructure } from '../../src/platform/json/json-structure.js';
import { surveyOf } from '../../src/platform/json/field-names.js';
import { CONFIG, CURRENT, World, contextFor } from './fakes.js';

const LISTED = ['gpt-4o', 'gpt-4.1', 'gpt-image-1', 'claude-opus-4-5', 'acme-1'];

let world: World;
afterEach(() => world?.stop());
const judge = (endpoint: string, json: object, allowed: string[] | null = null) => {
  const refusal = world.gate.judge(contextFor(endpoint, json, allowed));
  return refusal === null ? 'passes' : `${refusal.status} ${refusal.code}`;
};

describe.each([
  ['specification', CONFIG],
  ['current', CURRENT],
])('nested models with GW_PROFILE=%s', (profile, config) => {
  test.each<[string, object]>([
    ['an image tool inside input', { input: [{ type: 'additional_tools', tools: [{ type: 'i', model: 'gpt-4.1' }] }] }],
    ['a list in the list of tools', { tools: [[{ type: 'i', model: 'gpt-4.1' }]] }],
    ['a tool in a namespace', { tools: [{ type: 'namespace', tools: [{ type: 'i', model: 'gpt-4.1' }] }] }],
    [
      'a tool inside the results of a tool search',
      { input: [{ tools: [{ type: 'n', tools: [{ type: 'i', svg: { model: 'gpt-4.1' } }] }] }] },
    ],
    ['a batch', { requests: [{ params: { model: 'gpt-4o' } }, { params: { model: 'gpt-4.1' } }] }],
    ['a fallback in a batch', { requests: [{ params: { model: 'gpt-4o', fallbacks: [{ model: 'gpt-4.1' }] } }] }],
    [
      'a grader among several',
      { grader: { type: 'multi', graders: { a: { model: 'gpt-4o' }, b: { model: 'gpt-4.1' } } } },
    ],
    ['a session', { session: { audio: { input: { transcription: { model: 'gpt-4.1' } } } } }],
    ['a model by its ID', { agent: { model: { id: 'gpt-4.1' } } }],
    ['moderation', { moderation: { model: 'gpt-4.1' } }],
    ['an array of models', { session: { models: ['gpt-4o', { y: 'gpt-4.1' }] } }],
    ['a field of a form', { 'svg[model]': 'gpt-4.1' }],
    ['a field of a tool in a form', { 'tools[0][model]': 'gpt-4.1' }],
    ['a field of extra_body in a form', { 'extra_body[x][answering_model]': 'gpt-4.1' }],
  ])('checks the allowed models of the key for %s', async (_what, json) => {
    world = await World.serving(LISTED, { config });
    expect(judge('/v1/assistants', json, ['gpt-4o'])).toBe('403 model_not_allowed');
    expect(judge('/v1/assistants', json, ['gpt-4o', 'gpt-4.1'])).toBe('passes');
    const unknown = JSON.parse(JSON.stringify(json).replace('gpt-4.1', 'nope')) as object;
    expect(judge('/v1/assistants', unknown)).toBe('403 model_not_available');
  });

  test('a nested model need not fit the route', async () => {
    world = await World.serving(LISTED, { config });
    const image = { tools: [{ type: 'image_generation', model: 'gpt-image-1' }] };
    expect(judge('/v1/responses', { model: 'gpt-4o', input: [image] })).toBe('passes');
    expect(judge('/v1/responses', { model: 'gpt-image-1', input: [] })).toBe('400 model_endpoint_mismatch');
  });

  test.each<[string, object]>([
    ['messages that echo a response', { messages: [{ role: 'assistant', model: 'nope', usage: { model: 'nope' } }] }],
    [
      'the arguments of a tool call',
      { messages: [{ content: [{ type: 'tool_use', input: { tools: [{ type: 'x', model: 'nope' }] } }] }] },
    ],
    ['metadata', { metadata: { model: 'nope' }, 'metadata[model]': 'nope' }],
    [
      'the schema of a tool',
      { tools: [{ name: 'f', input_schema: { properties: { model: { default: { model: 'nope' } } } } }] },
    ],
    [
      'the schema of a tool inside input',
      { input: [{ tools: [{ type: 'tool_search', parameters: { models: ['nope'] } }] }] },
    ],
    ...['format', 'guided_json', 'json_schema', 'response_schema', 'structured_outputs'].map(
      (field): [string, object] => [
        `a schema in ${field}`,
        {
          [field]: {
            json: { properties: { models: { items: 'nope' }, fallbacks: ['nope'], model: { const: 'nope' } } },
          },
        },
      ],
    ),
    ['documents', { documents: [{ title: 'a car', model: 'nope' }] }],
    ['values for a chat template', { chat_template_kwargs: { model: 'nope' } }],
    [
      'the other settings of a fallback',
      { fallbacks: [{ model: 'gpt-4o', speed: 'fast', output_config: { effort: 'low' } }] },
    ],
  ])('finds no model in %s', async (_what, json) => {
    world = await World.serving(LISTED, { config });
    expect(judge('/v1/assistants', { model: 'gpt-4o', ...json }, ['gpt-4o'])).toBe('passes');
  });

  test('checks all 100,000 requests of a batch', async () => {
    world = await World.serving(LISTED, { config });
    const requests = new Array<object>(100_000).fill({ custom_id: 'x', params: { model: 'gpt-4o', messages: [] } });
    expect(judge('/v1/messages/batches', { requests }, ['gpt-4o'])).toBe('passes');
    requests.push({ params: { model: 'gpt-4.1' } });
    expect(judge('/v1/messages/batches', { requests }, ['gpt-4o'])).toBe('403 model_not_allowed');
  });

  test('searches a body that is nested a million levels deep', async () => {
    world = await World.serving(LISTED, { config });
    let deep: unknown = { model: 'gpt-4.1' };
    for (let level = 0; level < 1_000_000; level++) deep = [deep];
    expect(judge('/v1/assistants', { session: deep }, ['gpt-4o'])).toBe('403 model_not_allowed');
  });

  test('searches unknown fields only with GW_PROFILE=current', async () => {
    world = await World.serving(LISTED, { config });
    const refusal = judge('/v1/assistants', { model: 'gpt-4o', x: { y: [{ model: 'gpt-4.1' }] } }, ['gpt-4o']);
    expect(refusal).toBe(profile === 'current' ? '403 model_not_allowed' : 'passes');
  });

  test('rejects provider-chosen fallbacks for a key with allowed models', async () => {
    world = await World.serving(LISTED, { config });
    const body = { model: 'claude-opus-4-5', fallbacks: 'default' };
    const batch = { requests: [{ params: body }] };
    const free = profile === 'current' ? 'passes' : '403 model_not_available';
    expect(judge('/v1/messages', body)).toBe(free);
    expect(judge('/v1/messages/batches', batch)).toBe('passes');
    for (const json of [body, batch])
      expect(judge('/v1/messages/batches', json, ['claude-opus-4-5'])).toMatch(/^403 model_not_/);
  });
});

describe('routes without a model category', () => {
  test.each(['/v1/fine_tuning/jobs', '/v1/moderations', '/v1/videos', '/v1/evals', '/v1/audio/translations'])(
    '%s accepts a model of any category',
    async (endpoint) => {
      world = await World.serving([...LISTED, 'davinci-002', 'whisper-1']);
      for (const model of ['davinci-002', 'whisper-1', 'gpt-4o', 'acme-1'])
        expect(judge(endpoint, { model })).toBe('passes');
    },
  );

  test.each(['/v1/responses/compact', '/v1/responses/input_tokens'])(
    '%s accepts the same models as /v1/responses',
    async (path) => {
      world = await World.serving(LISTED);
      expect(judge(path, { model: 'gpt-4o' })).toBe('passes');
      expect(judge(path, { model: 'claude-opus-4-5' })).toBe('400 model_endpoint_mismatch');
    },
  );
});

describe('surveyOf', () => {
  const searched = (text: string) => surveyOf(JSON.parse(text) as Record<string, unknown>).namesModelsInside;

  test.each([
    '{"model":"a"}',
    '{"model" : "a","messages":[{"content":"the \\"model\\": x"}]}',
    '{"model":"a","x":["model","models"],"y":"model"}',
    '{"model":"a","x":{"model_kind":1,"remodeled":2}}',
    '{"input":[]}',
  ])('does not require a search of %s', (text) => expect(searched(text)).toBe(false));

  test.each([
    '{"model":"a","x":{"model":"b"}}',
    '{"model":"a","x":{"model"\n\t : "b"}}',
    '{"x":{"model":"b"}}',
    '{"model":"a","x":{"mode\\u006c":"b"}}',
    '{"model":"a","x":{"a\\u005fmodel":"b"}}',
    '{"model":"a","x":{"a_models":["b"]}}',
    '{"model":"a","x":{"fallbacks":["b"]}}',
    '{"model":"a","x":{"context_window_fallback_dict":{}}}',
    '{"model":{"id":"b"}}',
  ])('requires a search of %s', (text) => expect(searched(text)).toBe(true));

  test('requires a search of every body that contains a model, and counts all fields', () => {
    const name = fc.constantFrom('model', 'a_model', 'models', 'fallbacks', 'tools', 'input', 'x', 'model_group_alias');
    const { body } = fc.letrec<{ body: Record<string, unknown>; value: unknown }>((tie) => ({
      body: fc.dictionary(name, tie('value')),
      value: fc.oneof({ maxDepth: 4 }, fc.string(), fc.array(tie('value')), tie('body')),
    }));
    fc.assert(
      fc.property(body, (json) => {
        const found = modelsInside(json).models.length > 0;
        const { fields, namesModelsInside } = surveyOf(json);
        expect(found && !namesModelsInside).toBe(false);
        expect(countStructure(Buffer.from(JSON.stringify(json))).fields).toBe(fields);
      }),
    );
  });
});
