import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Script } from '../../../../sandbox/src/scripted/scripted-provider.js';
import { ObjectOwners } from '../../../../src/upstream/routing/objects/object-owners.service.js';
import { encryptedContentIds, signatureIds } from '../../../../src/upstream/routing/objects/opaque-content.rules.js';
import type { Key } from '../../../support/gateway.js';
import { MESSAGE, RESPONSE as MESSAGE_RESPONSE } from '../../../support/message-responses.js';
import { errorIn } from '../../../support/responses.js';
import { RESPONSE } from '../../../support/responses-api-responses.js';
import { RoutedGateway } from '../routed-gateway.js';

const ASKED = { model: 'gpt-4o-mini', input: 'Hello' };
const ENCRYPTED = {
  ...ASKED,
  store: false,
  input: [{ type: 'reasoning', summary: [], encrypted_content: 'gAAAA-of-one' }],
};
const THINKING = { type: 'thinking', thinking: 'Hm', signature: 'signature-of-one' };
const SIGNED = {
  ...MESSAGE,
  messages: [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: [THINKING] },
    { role: 'user', content: 'Go on' },
  ],
};

interface Kind {
  readonly kind: string;
  readonly path: string;
  readonly ids: readonly string[];
  /** Sent with POST. Without it, the method is GET. */
  readonly body?: object;
}

const respond = (fields: object): Pick<Kind, 'path' | 'body'> => ({
  path: '/v1/responses',
  body: { ...ASKED, ...fields },
});

const KINDS: readonly Kind[] = [
  { kind: 'a previous response', ids: ['resp_one1'], ...respond({ previous_response_id: 'resp_one1' }) },
  { kind: 'a conversation', ids: ['conv_one1'], ...respond({ conversation: 'conv_one1' }) },
  {
    kind: 'an item reference',
    ids: ['msg_one1'],
    ...respond({ input: [{ type: 'item_reference', id: 'msg_one1' }] }),
  },
  { kind: 'encrypted reasoning', ids: encryptedContentIds(ENCRYPTED), path: '/v1/responses', body: ENCRYPTED },
  {
    kind: 'a file in the input',
    ids: ['file-one1'],
    ...respond({ input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file-one1' }] }] }),
  },
  {
    kind: 'a vector store in a tool',
    ids: ['vs_one1'],
    ...respond({ tools: [{ type: 'file_search', vector_store_ids: ['vs_one1'] }] }),
  },
  {
    kind: 'a container in a tool',
    ids: ['cntr_one1'],
    ...respond({ tools: [{ type: 'code_interpreter', container: 'cntr_one1' }] }),
  },
  { kind: 'a signature of thinking', ids: signatureIds(SIGNED), path: '/v1/messages', body: SIGNED },
  { kind: 'a file', ids: ['file-one2'], path: '/v1/files/file-one2' },
  { kind: 'a container', ids: ['cntr_one2'], path: '/v1/containers/cntr_one2' },
  { kind: 'a stored conversation', ids: ['conv_one2'], path: '/v1/conversations/conv_one2' },
  { kind: 'a vector store', ids: ['vs_one2'], path: '/v1/vector_stores/vs_one2' },
];

const fails =
  (status: number): Script =>
  () => ({ status, body: { error: { message: `status ${status}` } } });

let routed: RoutedGateway;
let key: Key;
beforeAll(async () => {
  const upstreams = ['other', 'one'].map((name) => ({ name, apis: ['openai', 'anthropic'] }));
  routed = await RoutedGateway.start({ upstreams }, { GW_PROFILE: 'current', GW_ROUTES: 'all' });
  key = await routed.gateway.createKey();
  await routed.gateway.app.get(ObjectOwners).record(
    KINDS.flatMap(({ ids }) => ids),
    'one',
    true,
  );
});
beforeEach(() => routed.reset());
afterEach(() => routed.idle());
afterAll(() => routed.stop());

describe.each(KINDS)('a request with $kind', ({ path, body }) => {
  const method = body === undefined ? 'GET' : 'POST';
  const owner = (script: Script) => routed.provider('one').on(method, path, script);
  const send = async () => {
    const response = await routed.gateway.call(method, path, { key, ...(body !== undefined && { body }) });
    expect(response.headers.get('x-gw-upstream')).toBe('one');
    expect(routed.counts(`${method} ${path}`)['other']).toBe(0);
    return response;
  };
  const unavailable = async (what: string) => {
    const response = await send();
    expect([response.status, errorIn(response).code, errorIn(response).message]).toEqual([
      503,
      'service_unavailable',
      `The upstream "one", which holds or made what this request names, ${what}. Try again later.`,
    ]);
    return response;
  };

  test('gets the reason why only its owner could serve it', async () => {
    owner(fails(401));
    const refused = await unavailable('rejects requests now');
    expect([refused.headers.get('x-gw-upstream-status'), refused.headers.get('retry-after')]).toEqual(['401', '10']);

    routed.reset();
    owner(fails(500));
    expect((await send()).status).toBe(502);
    await unavailable('fails to serve requests now');

    routed.reset();
    owner((_, response) => void response.socket!.resetAndDestroy());
    expect((await send()).status).toBe(502);
    await unavailable('fails to serve requests now');

    routed.reset();
    for (let refusals = 0; refusals < 5; refusals++) routed.upstream('one').breaker.onRefused();
    await unavailable('cannot be reached');
  });

  test('is served by its owner while it drains or is paused', async () => {
    owner(fails(402));
    await unavailable('rejects requests now');
    owner(() => ({ body: path === '/v1/messages' ? MESSAGE_RESPONSE : { ...RESPONSE, id: 'of-one' } }));
    await routed.gateway.admin('POST', '/admin/upstreams/one/drain');
    expect((await send()).status).toBe(200);
    await routed.gateway.admin('POST', '/admin/upstreams/one/resume');
    expect((await send()).status).toBe(200);
  });

  test('gets the response to an error that it caused itself', async () => {
    owner(fails(400));
    expect((await send()).status).toBe(400);
    expect(routed.upstream('one').pressure.status).toBe('ready');
  });
});
