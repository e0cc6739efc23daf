import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { errorIn } from '../../support/responses.js';
import { ObjectOwners } from '../../../src/upstream/routing/objects/object-owners.service.js';
import { BOUNDARY, file, formOf, text } from '../../support/multipart-forms.js';
import type { Key } from '../../support/gateway.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { ScriptedProvider, type Script } from '../../../sandbox/src/scripted/scripted-provider.js';
import { DEFAULT_SCRIPTS } from '../../support/scripted-upstream-responses.js';
import type { ScriptedUpstream } from '../../support/scripted-upstream.js';
import { until } from '../../support/until.js';
import { RoutedGateway } from './routed-gateway.js';

const UPSTREAMS = ['one', 'two', 'three'].map((name) => ({ name }));
const ENV = { GW_ROUTES: 'all', GW_UNBILLED_ROUTES: 'batches' };
const LINE = JSON.stringify({
  custom_id: '1',
  method: 'POST',
  url: '/v1/chat/completions',
  body: { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] },
});

/** A provider that has stored objects, and answers 404 for all others. */
function startStoring(name: string): Promise<ScriptedUpstream> {
  const routes = new Map(DEFAULT_SCRIPTS);
  const stored = new Map<string, object>();
  let count = 0;
  const creates =
    (kind: string): Script =>
    () => {
      const id = `${kind}-${name}${++count}`;
      stored.set(id, { id, object: kind });
      return { body: stored.get(id)! };
    };
  for (const [path, kind] of [
    ['/v1/files', 'file'],
    ['/v1/threads', 'thread'],
    ['/v1/batches', 'batch'],
  ])
    routes.set(`POST ${path!}`, creates(kind!));
  routes.set('POST /v1/responses', (request) => {
    const previous = request.json()['previous_response_id'];
    if (typeof previous === 'string' && !stored.has(previous))
      return { status: 404, body: { error: { message: 'unknown' } } };
    const id = `resp_${name}${++count}`;
    stored.set(id, { id, object: 'response' });
    const response = {
      id,
      object: 'response',
      model: 'gpt-4o-mini',
      output: [],
      usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    };
    if (request.json()['stream'] !== true) return { body: response };
    const event = (type: string) => `event: ${type}\ndata: ${JSON.stringify({ type, response })}\n\n`;
    return {
      headers: { 'content-type': 'text/event-stream' },
      chunks: [event('response.created'), event('response.completed')],
    };
  });
  const script: Script = ({ method, path }) => {
    const [, id, part] = /^\/v1\/(?:files|threads|batches|responses)\/([^/?]+)(\/[^?]*)?/.exec(path) ?? [];
    const object = stored.get(id ?? '');
    if (object === undefined) return { status: 404, body: { error: { message: 'No such object' } } };
    if (method === 'DELETE') stored.delete(id!);
    if (part === '/content') return { body: `${LINE}\n` };
    return { body: part === undefined ? object : { id: `part-${count}`, object: 'part', thread_id: id } };
  };
  return ScriptedProvider.start({ routes, script });
}

describe('objects at three upstreams', () => {
  let database: ScratchDatabase;
  let providers: Map<string, ScriptedUpstream>;
  let routed: RoutedGateway;
  let other: RoutedGateway;
  let key: Key;
  beforeAll(async () => {
    database = await createScratchDatabase();
    providers = new Map();
    for (const { name } of UPSTREAMS) providers.set(name, await startStoring(name));
    routed = await start();
    other = await start();
    key = await routed.gateway.createKey();
  });
  beforeEach(() => {
    for (const provider of providers.values()) provider.requests = [];
  });
  afterEach(async () => {
    for (const { name } of UPSTREAMS) await resume(name);
  });
  afterAll(async () => {
    await other.gateway.stop();
    await routed.stop();
    await database.drop();
  });

  const start = (upstreams: readonly { name: string }[] = UPSTREAMS) =>
    RoutedGateway.start({ upstreams }, ENV, { databaseUrl: database.url, providers });
  const drain = (name: string) => routed.gateway.admin('POST', `/admin/upstreams/${name}/drain`);
  const resume = (name: string) => routed.gateway.admin('POST', `/admin/upstreams/${name}/resume`);
  const counted = () =>
    Object.fromEntries([...providers].map(([name, { requests }]) => [name, requests.map(({ route }) => route)]));

  /** Creates an object at an upstream, because the others drain. */
  const createdAt = async (
    name: string,
    create: () => Promise<{ status: number; body: Record<string, unknown>; headers: Headers }>,
  ) => {
    for (const each of UPSTREAMS) if (each.name !== name) await drain(each.name);
    const response = await create();
    for (const each of UPSTREAMS) await resume(each.name);
    expect([response.status, response.headers.get('x-gw-upstream')]).toEqual([200, name]);
    return response;
  };
  const call = (method: string, path: string, body?: object, by = routed) =>
    by.gateway.call(method, path, { key, body });
  const upload = () =>
    routed.gateway.call('POST', '/v1/files', {
      key,
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      body: formOf([text('purpose', 'batch'), file('file', LINE, 'a.jsonl')]),
    });
  const idOf = (response: { body: Record<string, unknown> }) => String(response.body['id']);
  const servedBy = async (answered: Promise<{ status: number; headers: Headers }>) => {
    const { status, headers } = await answered;
    return [status, headers.get('x-gw-upstream')];
  };

  test.each(['one', 'two', 'three'])(
    'a file of %s returns there, from each gateway, and after a restart',
    async (name) => {
      const id = idOf(await createdAt(name, upload));
      for (const by of [routed, other]) {
        expect(await servedBy(call('GET', `/v1/files/${id}`, undefined, by))).toEqual([200, name]);
        expect(await servedBy(call('GET', `/v1/files/${id}/content`, undefined, by))).toEqual([200, name]);
      }
      const restarted = await start();
      expect(await servedBy(call('GET', `/v1/files/${id}`, undefined, restarted))).toEqual([200, name]);
      await restarted.gateway.stop();
      const asked = Object.entries(counted()).filter(([, routes]) => routes.some((route) => route.includes(id)));
      expect(asked.map(([asking]) => asking)).toEqual([name]);
    },
  );

  test.each([false, true])('a response is continued at its upstream (stream: %s)', async (stream) => {
    const respond = (fields: object, by = routed) =>
      call('POST', '/v1/responses', { model: 'gpt-4o-mini', input: 'Hi', ...fields }, by);
    const first = await createdAt('three', () => respond({ stream }));
    const id = stream ? /resp_\w+/.exec((first as unknown as { text: string }).text)![0] : idOf(first);
    for (const by of [other, routed]) {
      expect(await servedBy(respond({ previous_response_id: id, stream }, by))).toEqual([200, 'three']);
      expect(await servedBy(call('GET', `/v1/responses/${id}`, undefined, by))).toEqual([200, 'three']);
    }
    expect([counted()['one'], counted()['two']]).toEqual([[], []]);
  });

  test('messages and runs of a thread return to it', async () => {
    const id = idOf(await createdAt('two', () => call('POST', '/v1/threads', {})));
    const message = { role: 'user', content: 'Hi' };
    expect(await servedBy(call('POST', `/v1/threads/${id}/messages`, message, other))).toEqual([200, 'two']);
    expect(await servedBy(call('GET', `/v1/threads/${id}/messages`))).toEqual([200, 'two']);
    expect([counted()['one'], counted()['three']]).toEqual([[], []]);
  });

  const batch = (id: string, by = routed) => {
    const body = { input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h' };
    return call('POST', '/v1/batches', body, by);
  };

  test('a batch is created at the upstream of its file, which the gateway has read there', async () => {
    const id = idOf(await createdAt('two', upload));
    const created = await batch(id, other);
    expect(await servedBy(Promise.resolve(created))).toEqual([200, 'two']);
    expect(counted()['two']).toEqual(expect.arrayContaining([`GET /v1/files/${id}/content`, 'POST /v1/batches']));
    expect([counted()['one'], counted()['three']]).toEqual([[], []]);
    expect(await servedBy(call('GET', `/v1/batches/${idOf(created)}`))).toEqual([200, 'two']);
  });

  const forgotten = async (ids: readonly string[]) => {
    for (const by of [routed, other]) for (const id of ids) by.gateway.app.get(ObjectOwners).forget(id);
    await until(() => [routed, other].every((by) => by.gateway.app.get(ObjectOwners).unwritten === 0));
  };

  test('an object that no gateway has seen is looked up at each upstream, and its owner is remembered', async () => {
    const id = idOf(await createdAt('three', upload));
    await forgotten([id]);
    expect(await servedBy(call('GET', `/v1/files/${id}`))).toEqual([200, 'three']);
    expect(Object.values(counted()).map((routes) => routes.filter((route) => route.includes(id)).length)).toEqual([
      1, 1, 1,
    ]);
    await until(async () => (await servedBy(call('GET', `/v1/files/${id}`)))[1] === 'three');
    expect(counted()['one']!.length).toBe(1);
  });

  test('a batch file that no gateway has seen is looked up at each upstream', async () => {
    const id = idOf(await createdAt('three', upload));
    await forgotten([id]);
    expect(await servedBy(batch(id))).toEqual([200, 'three']);
    expect([counted()['one'], counted()['two']]).toEqual([
      [`GET /v1/files/${id}/content`],
      [`GET /v1/files/${id}/content`],
    ]);
  });

  test('a request for an unknown object gets the response of the provider, after one request to each upstream', async () => {
    const response = await call('GET', '/v1/files/file-nowhere');
    expect([response.status, response.headers.get('x-gw-upstream-status')]).toEqual([502, '404']);
    expect(Object.values(counted()).map((routes) => routes.length)).toEqual([1, 1, 1]);
    const refused = await batch('file-nowhere');
    expect([refused.status, errorIn(refused).param]).toEqual([400, 'input_file_id']);
  });

  test('a deleted object is forgotten', async () => {
    const id = idOf(await createdAt('two', upload));
    expect(await servedBy(call('DELETE', `/v1/files/${id}`))).toEqual([200, 'two']);
    const response = await call('GET', `/v1/files/${id}`);
    expect([response.status, response.headers.get('x-gw-upstream-status')]).toEqual([502, '404']);
  });

  test('an object of an upstream that was removed from the file returns 404 with its name', async () => {
    const id = idOf(await createdAt('two', upload));
    const without = await start(UPSTREAMS.filter(({ name }) => name !== 'two'));
    for (const response of [await call('GET', `/v1/files/${id}`, undefined, without), await batch(id, without)]) {
      expect([response.status, errorIn(response).code]).toEqual([404, 'not_found']);
      expect(errorIn(response).message).toBe(
        'This object belongs to the upstream "two", which is no longer configured. Create the object again.',
      );
    }
    await without.gateway.stop();
  });

  test('an object of one upstream cannot be used with a model of another', async () => {
    const models = (name: string, model: string) => ({ name, models: [model] });
    const separate = await start([models('one', 'gpt-4o'), models('two', 'gpt-4.1'), models('three', 'o1')]);
    const id = idOf(await createdAt('two', () => call('POST', '/v1/responses', { model: 'gpt-4o-mini', input: 'Hi' })));
    const respond = (model: string) =>
      call('POST', '/v1/responses', { model, input: 'Hi', previous_response_id: id }, separate);
    const refused = await respond('gpt-4o');
    expect([refused.status, errorIn(refused).code, errorIn(refused).param]).toEqual([400, 'invalid_value', 'model']);
    expect(await servedBy(respond('gpt-4.1'))).toEqual([200, 'two']);
    await separate.gateway.stop();
  });
});
