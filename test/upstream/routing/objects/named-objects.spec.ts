import { describe, expect, test } from '@jest/globals';
import { PASS_THROUGH } from '../../../../src/proxy/pass-through/pass-through.routes.data.js';
import { encryptedContentId, signatureId } from '../../../../src/upstream/routing/objects/opaque-content.rules.js';
import { jsonOfOpaque, objectsNamedBy } from '../../../../src/upstream/routing/objects/named-objects.rules.js';

type Body = Readonly<Record<string, unknown>>;

const RESPONSES = '/v1/responses';
const CHAT = '/v1/chat/completions';
const MESSAGES = '/v1/messages';
const user = (...content: unknown[]) => ({ messages: [{ role: 'user', content }] });

describe('IDs in the path', () => {
  test.each([
    ['/v1/files/{file_id}/content', ['file-1'], ['file-1']],
    ['/v1/threads/{thread_id}/runs/{run_id}/steps/{step_id}', ['thread_1', 'run_1', 'step_1'], ['thread_1', 'run_1']],
    ['/v1/vector_stores/{vector_store_id}/files/{file_id}', ['vs_1', 'file-1'], ['vs_1', 'file-1']],
    ['/v1/skills/{skill_id}/versions/{version}', ['skill_1', '2'], ['skill_1']],
    ['/v1/conversations/{conversation_id}/items/{item_id}', ['conv_1', 'msg_1'], ['conv_1']],
    ['/v1/responses/{id}', ['resp_1'], ['resp_1']],
    ['/v1/models/{model}', ['gpt-4o'], []],
    ['/v1/files/{file_id}', ['a b'], []],
    ['/v1/files/{file_id}', ['..'], []],
  ])('%s with %j names %j', (endpoint, pathIds, named) => {
    expect(objectsNamedBy(endpoint, pathIds, null)).toEqual(named);
  });

  test('every route with IDs names at least its outermost object, except calls that the provider received', () => {
    const nameless = PASS_THROUGH.flatMap(({ routes }) => routes)
      .map(({ path }) => ({ path, pathIds: [...path.matchAll(/\{\w+\}/g)].map((_, i) => `id_${i}`) }))
      .filter(({ path, pathIds }) => pathIds.length > 0 && objectsNamedBy(path, pathIds, null)[0] !== 'id_0')
      .map(({ path }) => path);
    expect(nameless.every((path) => path.startsWith('/v1/realtime/calls/{call_id}/'))).toBe(true);
    expect(nameless).toHaveLength(4);
  });
});

describe('opaque contents in the body', () => {
  test('the newest encrypted contents of a response come after the object that it continues', () => {
    const input = ['1', '2', '3', '4', '5'].map((content) => ({ type: 'reasoning', encrypted_content: content }));
    const ids = ['5', '4', '3', '2'].map(encryptedContentId);
    for (const store of [true, false])
      expect(objectsNamedBy(RESPONSES, [], { input, store, previous_response_id: 'resp_1' })).toEqual([
        'resp_1',
        ...ids,
      ]);
    expect(objectsNamedBy('/v1/responses/compact', [], { input })).toEqual(ids);
    expect(
      objectsNamedBy(RESPONSES, [], { input: [{ encrypted_content: '' }, { encrypted_content: 5 }, null] }),
    ).toEqual([]);
  });

  test('the newest signatures of messages come last', () => {
    const thinking = (signature: string) => ({ role: 'assistant', content: [{ type: 'thinking', signature }] });
    const messages = [
      ...['1', '2', '3', '4'].map(thinking),
      {
        role: 'assistant',
        content: [
          { type: 'redacted_thinking', data: '5' },
          { type: 'text', signature: '6' },
        ],
      },
      { role: 'user', content: [{ type: 'image', source: { type: 'file', file_id: 'file_1' } }] },
      { role: 'user', content: 'more' },
    ];
    expect(objectsNamedBy(MESSAGES, [], { messages })).toEqual(['file_1', ...['5', '4', '3', '2'].map(signatureId)]);
  });
});

describe('IDs in the body', () => {
  test.each<[string, string, Body, string[]]>([
    ['a previous response', RESPONSES, { input: 'hi', previous_response_id: 'resp_1' }, ['resp_1']],
    ['a conversation by its ID', RESPONSES, { conversation: 'conv_1' }, ['conv_1']],
    ['a conversation as an object', RESPONSES, { conversation: { id: 'conv_1' } }, ['conv_1']],
    ['an item reference', RESPONSES, { input: [{ type: 'item_reference', id: 'rs_1' }] }, ['rs_1']],
    ['an item reference without a type', RESPONSES, { input: [{ id: 'msg_1' }] }, ['msg_1']],
    ['stored reasoning', RESPONSES, { input: [{ type: 'reasoning', id: 'rs_1', summary: [] }] }, ['rs_1']],
    ['an earlier image', RESPONSES, { input: [{ type: 'image_generation_call', id: 'ig_1' }] }, ['ig_1']],
    [
      'files of an input',
      RESPONSES,
      { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file-1' }] }] },
      ['file-1'],
    ],
    [
      'tools with vector stores and containers',
      RESPONSES,
      {
        tools: [
          { type: 'file_search', vector_store_ids: ['vs_1', 'vs_2'] },
          { type: 'code_interpreter', container: 'cntr_1' },
          { type: 'code_interpreter', container: { type: 'auto', file_ids: ['file-1'] } },
          { type: 'shell', environment: { type: 'container_reference', container_id: 'cntr_2' } },
        ],
      },
      ['vs_1', 'vs_2', 'cntr_1', 'file-1', 'cntr_2'],
    ],
    ['a batch file', '/v1/batches', { input_file_id: 'file-1', endpoint: CHAT }, ['file-1']],
    [
      'files of a fine-tuning job',
      '/v1/fine_tuning/jobs',
      { validation_file: 'file-2', training_file: 'file-1', model: 'gpt-4o' },
      ['file-1', 'file-2'],
    ],
    ['the assistant of a run', '/v1/threads/{thread_id}/runs', { assistant_id: 'asst_1' }, ['asst_1']],
    [
      'tool resources of an assistant',
      '/v1/assistants',
      { tool_resources: { code_interpreter: { file_ids: ['file-1'] }, file_search: { vector_store_ids: ['vs_1'] } } },
      ['file-1', 'vs_1'],
    ],
    [
      'a file as the source of an eval run',
      '/v1/evals/{eval_id}/runs',
      { data_source: { type: 'jsonl', source: { type: 'file_id', id: 'file-1' } } },
      ['file-1'],
    ],
    ['an uploaded file of a chat', CHAT, user({ type: 'file', file: { file_id: 'file-1' } }), ['file-1']],
    [
      'images to edit',
      '/v1/images/edits',
      { images: [{ file_id: 'file-1' }], mask: { file_id: 'file-2' } },
      ['file-1', 'file-2'],
    ],
    [
      'a video',
      '/v1/videos',
      { video: { id: 'video_1' }, input_reference: { file_id: 'file-1' } },
      ['video_1', 'file-1'],
    ],
    ['a custom voice', '/v1/audio/speech', { voice: { id: 'voice_1' }, input: 'hi' }, ['voice_1']],
    [
      'a file of the Files API as an image',
      MESSAGES,
      user({ type: 'image', source: { type: 'file', file_id: 'file_1' } }),
      ['file_1'],
    ],
    ['a file for code execution', MESSAGES, user({ type: 'container_upload', file_id: 'file_1' }), ['file_1']],
    ['a container', MESSAGES, { container: 'container_1', ...user('hi') }, ['container_1']],
    [
      'a container as an object with skills',
      MESSAGES,
      { container: { id: 'container_1', skills: [{ type: 'custom', skill_id: 'skill_1', version: '1' }] } },
      ['container_1', 'skill_1'],
    ],
    [
      'files in the requests of a message batch',
      '/v1/messages/batches',
      {
        requests: [{ custom_id: 'a', params: user({ type: 'document', source: { type: 'file', file_id: 'file_1' } }) }],
      },
      ['file_1'],
    ],
  ])('%s counts', (_, endpoint, json, named) => {
    expect(objectsNamedBy(endpoint, [], json)).toEqual(named);
  });

  test.each<[string, string, Body]>([
    [
      'text that looks like an ID',
      CHAT,
      user({ type: 'text', text: 'file-1' }, { type: 'text', text: '"file_id":"file-1"' }),
    ],
    ['IDs of tool calls', CHAT, { messages: [{ role: 'tool', tool_call_id: 'call_1', content: '' }] }],
    ['IDs of function calls', RESPONSES, { input: [{ type: 'function_call_output', call_id: 'call_1', id: 'fc_1' }] }],
    ['IDs of tool results', MESSAGES, user({ type: 'tool_result', tool_use_id: 'toolu_1', content: 'x' })],
    ['arguments of a tool call', MESSAGES, user({ type: 'tool_use', id: 'toolu_1', input: { file_id: 'file-1' } })],
    ['metadata', RESPONSES, { metadata: { file_id: 'file-1' }, input: 'hi' }],
    ['the schema of a function', CHAT, { tools: [{ function: { parameters: { container: { id: 'a' } } } }] }],
    ['a built-in voice', '/v1/audio/speech', { voice: 'alloy', input: 'hi' }],
    ['a prompt', RESPONSES, { prompt: { id: 'pmpt_1' } }],
    ['reasoning that is not stored', RESPONSES, { store: false, input: [{ type: 'reasoning', id: 'rs_1' }] }],
    ['an implausible ID', RESPONSES, { previous_response_id: 'resp 1', conversation: { id: 5 }, container: null }],
    ['an ID of 201 characters', RESPONSES, { previous_response_id: 'a'.repeat(201) }],
    ['the input of an embedding', '/v1/embeddings', { input: 'hi', file_id: 'file-1' }],
  ])('%s does not count', (_, endpoint, json) => {
    expect(objectsNamedBy(endpoint, [], json)).toEqual([]);
  });

  test('the path comes before top-level fields, and these before nested fields', () => {
    const json = {
      tools: [{ vector_store_ids: ['vs_1'] }],
      messages: [{ attachments: [{ file_id: 'file-1' }, { file_id: 'thread_1' }] }],
      assistant_id: 'asst_1',
    };
    expect(objectsNamedBy('/v1/threads/{thread_id}/runs', ['thread_1'], json)).toEqual([
      'thread_1',
      'asst_1',
      'vs_1',
      'file-1',
    ]);
  });

  test('nested fields count in the order of the text', () => {
    const file = (name: string) => ({ type: 'input_file', file_id: name });
    const input = [{ content: [file('a'), { deeper: [file('b')] }, file('c')] }, { content: [file('d'), file('a')] }];
    expect(objectsNamedBy(RESPONSES, [], { input, last: file('e') })).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('at most 64 IDs are returned', () => {
    const file_ids = Array.from({ length: 100 }, (_, i) => `file-${i}`);
    expect(objectsNamedBy('/v1/vector_stores', [], { file_ids })).toEqual(file_ids.slice(0, 64));
  });

  test('a body that is deeply nested or has a million values is read in bounded time', () => {
    let deep: unknown = { file_id: 'file-1' };
    for (let i = 0; i < 10_000; i++) deep = [deep];
    expect(objectsNamedBy(RESPONSES, [], { input: deep })).toEqual([]);
    const wide = { input: Array.from({ length: 1_000_000 }, () => ({ a: {} })), previous_response_id: 'resp_1' };
    expect(objectsNamedBy(RESPONSES, [], wide)).toEqual(['resp_1']);
  });
});

describe('a body that stage 4 does not parse', () => {
  const bytes = (text: string) => Buffer.from(text);

  test('a body is parsed if the route names objects in it', () => {
    const json = jsonOfOpaque('/v1/vector_stores', bytes('{"file_ids":["file-1"]}'));
    expect(objectsNamedBy('/v1/vector_stores', [], json)).toEqual(['file-1']);
  });

  test.each<[string, string, Buffer | null]>([
    ['of another route', '/v1/realtime/calls/{call_id}/reject', bytes('{"file_id":"a"}')],
    ['that is absent', '/v1/threads', null],
    ['that is not JSON', '/v1/threads', bytes('{')],
    ['that is not an object', '/v1/threads', bytes('["a"]')],
    ['over 1 MiB', '/v1/threads', bytes(`{"a":"${'a'.repeat(1024 * 1024)}"}`)],
  ])('%s is not parsed', (_, endpoint, body) => {
    expect(jsonOfOpaque(endpoint, body)).toBeNull();
  });
});
