import { describe, expect, test } from '@jest/globals';
import { PASS_THROUGH } from '../../../../src/proxy/pass-through/pass-through.routes.data.js';
import {
  createsObject,
  deletedObject,
  expiresOf,
  objectsIn,
} from '../../../../src/upstream/routing/objects/created-objects.rules.js';
import { encryptedContentId, signatureId } from '../../../../src/upstream/routing/objects/opaque-content.rules.js';
import { DELETING_ROUTES, OBJECT_ROUTES } from '../../../../src/upstream/routing/objects/object-routes.data.js';

const ROUTES = PASS_THROUGH.flatMap(({ routes }) => routes);
const pathsOf = (method: string) => ROUTES.filter((route) => route.method === method).map(({ path }) => path);
/** Their handlers are not rows of a table. */
const OWN_HANDLERS = ['/v1/responses', '/v1/responses/{id}', '/v1/chat/completions', '/v1/messages'];

/** POST routes that create no object which a later request names. */
const NOT_CREATING = new Set([
  '/v1/messages/count_tokens',
  '/v1/responses/input_tokens',
  '/v1/decisions',
  '/v1/audio/translations',
  '/v1/content_provenance_checks',
  '/v1/images/variations',
  '/v1/moderations',
  // The session bypasses the gateway.
  '/v1/realtime/client_secrets',
  '/v1/realtime/translations/client_secrets',
  '/v1/realtime/sessions',
  '/v1/realtime/transcription_sessions',
  '/v1/fine_tuning/alpha/graders/run',
  '/v1/fine_tuning/alpha/graders/validate',
  // Parts of an object that the path names.
  '/v1/uploads/{upload_id}/parts',
  '/v1/conversations/{conversation_id}/items',
  '/v1/skills/{skill_id}/versions',
  '/v1/vector_stores/{vector_store_id}/files',
]);
/** A change or an action. The object exists already. */
const CHANGES_OBJECT = /(\}|\/(cancel|pause|resume|search|accept|hangup|refer|reject|submit_tool_outputs))$/;

describe('the table of routes', () => {
  test('the table contains every POST route that creates an object', () => {
    const missing = pathsOf('POST').filter(
      (path) => !OBJECT_ROUTES.has(path) && !NOT_CREATING.has(path) && !CHANGES_OBJECT.test(path),
    );
    expect(missing).toEqual([]);
  });

  test('the table contains only routes that exist', () => {
    for (const [path, { methods }] of OBJECT_ROUTES) {
      if (OWN_HANDLERS.includes(path)) continue;
      for (const method of methods) expect([path, pathsOf(method).includes(path)]).toEqual([path, true]);
    }
    const deletes = [...pathsOf('DELETE'), '/v1/responses/{id}'];
    expect([...DELETING_ROUTES].filter((path) => !deletes.includes(path))).toEqual([]);
  });
});

describe('a response', () => {
  test.each([
    ['POST', '/v1/files', null, true],
    ['GET', '/v1/files', null, false],
    ['GET', '/v1/files/{file_id}', null, false],
    ['POST', '/v1/uploads/{upload_id}/complete', null, true],
    ['POST', '/v1/responses', { store: true }, true],
    ['POST', '/v1/responses', {}, true],
    ['POST', '/v1/responses', { store: null }, true],
    ['POST', '/v1/responses', { store: false }, true],
    ['DELETE', '/v1/responses/{id}', null, false],
    ['POST', '/v1/chat/completions', {}, false],
    ['POST', '/v1/chat/completions', null, false],
    ['POST', '/v1/chat/completions', { store: true }, true],
    ['POST', '/v1/messages', { messages: [] }, true],
    ['POST', '/v1/messages', { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] }, true],
    ['POST', '/v1/messages', { container: 'container_1' }, true],
    ['POST', '/v1/messages/batches', { requests: [] }, true],
    ['GET', '/v1/batches/{batch_id}', null, true],
    ['POST', '/v1/threads/runs', {}, true],
    ['POST', '/v1/embeddings', {}, false],
    ['POST', '/v1/images/generations', {}, false],
    ['POST', '/v1/audio/speech', {}, false],
    ['POST', '/v1/audio/transcriptions', null, false],
    ['POST', '/v1/completions', {}, false],
  ])('a response to %s %s with %j can name new objects: %j', (method, endpoint, json, creates) => {
    expect(createsObject(method, endpoint, json)).toBe(creates);
  });
});

test.each([
  ...['/v1/responses', '/v1/chat/completions', '/v1/threads/{thread_id}/runs', '/v1/messages/batches'].map(
    (path) => [path, true] as const,
  ),
  ...[
    '/v1/files',
    '/v1/assistants',
    '/v1/vector_stores',
    '/v1/conversations',
    '/v1/fine_tuning/jobs',
    '/v1/batches',
  ].map((path) => [path, false] as const),
  ['/v1/batches/{batch_id}', false] as const,
])('objects of %s expire: %j', (endpoint, expires) => {
  expect(expiresOf(endpoint)).toBe(expires);
});

test.each([
  ['DELETE', '/v1/files/{file_id}', ['file-1'], 'file-1'],
  ['DELETE', '/v1/threads/{thread_id}/messages/{message_id}', ['thread_1', 'msg_1'], 'msg_1'],
  // The file itself is not deleted.
  ['DELETE', '/v1/vector_stores/{vector_store_id}/files/{file_id}', ['vs_1', 'file-1'], null],
  ['DELETE', '/v1/skills/{skill_id}/versions/{version}', ['skill_1', '2'], null],
  ['GET', '/v1/files/{file_id}', ['file-1'], null],
])('%s %s with %j forgets %j', (method, endpoint, pathIds, forgotten) => {
  expect(deletedObject(method, endpoint, pathIds)).toBe(forgotten);
});

describe('the objects in a JSON response', () => {
  const found = (json: unknown) => objectsIn(Buffer.from(JSON.stringify(json)));

  test.each<[string, unknown, string[]]>([
    ['a file', { id: 'file-1', object: 'file' }, ['file-1']],
    ['a run', { id: 'run_1', thread_id: 'thread_1', assistant_id: 'asst_1' }, ['run_1', 'thread_1']],
    ['a completed upload', { id: 'upload_1', file: { id: 'file-1' } }, ['upload_1', 'file-1']],
    [
      'a batch',
      { id: 'batch_1', input_file_id: 'file-1', output_file_id: 'file-2', error_file_id: 'file-3' },
      ['batch_1', 'file-2', 'file-3'],
    ],
    ['a batch without results', { id: 'batch_1', output_file_id: null }, ['batch_1']],
    ['a fine-tuning job', { id: 'ftjob-1', result_files: ['file-1', 'file-2'] }, ['ftjob-1', 'file-1', 'file-2']],
    [
      'a response',
      {
        id: 'resp_1',
        conversation: { id: 'conv_1' },
        output: [
          { type: 'reasoning', id: 'rs_1' },
          { type: 'code_interpreter_call', id: 'ci_1', container_id: 'cntr_1' },
          { type: 'image_generation_call', id: 'ig_1' },
          {
            type: 'message',
            id: 'msg_1',
            content: [
              {
                type: 'output_text',
                text: '{"file_id":"file-9"}',
                annotations: [{ type: 'container_file_citation', file_id: 'cfile_1', container_id: 'cntr_1' }],
              },
            ],
          },
        ],
      },
      ['resp_1', 'conv_1', 'rs_1', 'ci_1', 'ig_1', 'msg_1', 'cntr_1', 'cfile_1'],
    ],
    [
      'a message that used code execution',
      { id: 'msg_1', container: { id: 'container_1' }, content: [{ content: { content: [{ file_id: 'file_1' }] } }] },
      ['msg_1', 'container_1', 'file_1'],
    ],
    [
      'a response with encrypted reasoning',
      { id: 'resp_1', output: [{ type: 'reasoning', encrypted_content: 'gAAAA' }, null, { encrypted_content: '' }] },
      ['resp_1', encryptedContentId('gAAAA')],
    ],
    [
      'a message with thinking',
      {
        id: 'msg_1',
        type: 'message',
        content: [
          { type: 'thinking', signature: 'one' },
          { type: 'redacted_thinking', data: 'two' },
          { type: 'thinking', signature: '' },
        ],
      },
      [signatureId('one'), signatureId('two')],
    ],
    ['a forked session', { session: { id: 'live_1' }, transport: {} }, ['live_1']],
    [
      'a list of messages',
      { object: 'list', data: [{ id: 'msg_1', content: [{ image_file: { file_id: 'file-1' } }] }] },
      ['file-1'],
    ],
    ['an implausible ID', { id: 'a b' }, []],
    ['an array', [{ id: 'file-1' }], []],
  ])('%s', (_, json, ids) => {
    expect(found(json)).toEqual(ids);
  });

  test.each(['', '{', 'null', '"id"', '{"id":"a"'])('%j contains no objects', (text) => {
    expect(objectsIn(Buffer.from(text))).toEqual([]);
  });
});
