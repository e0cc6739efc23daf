import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ReceivedRequest } from '../../../../sandbox/src/scripted/received-request.js';
import type { Response, Key } from '../../../support/gateway.js';
import { GuideGateway } from './guide-gateway.js';
import { GuidePage, type PageRequest } from '../../../project/guides/guide-page.js';
import { GUIDES, type Guide } from '../../../project/guides/guides.data.js';
import { ACCOUNT_HEADERS, type VendorProvider } from '../../../project/guides/vendor-provider.js';

const PATHS = { openai: '/v1/chat/completions', anthropic: '/v1/messages' };
/** Every request has these headers, in addition to those of the account. */
const USUAL = ['accept-encoding', 'connection', 'content-length', 'content-type', 'host', 'user-agent', 'accept'];

/** The provider must receive none of these headers. */
const clientHeaders = (key: Key) => ({
  'x-api-key': key.key,
  'api-key': key.key,
  'x-goog-api-key': key.key,
  cookie: `key=${key.key}`,
  'openai-organization': 'org-client',
  'openai-project': 'client',
  'x-forwarded-for': '192.0.2.1',
  'http-referer': 'https://client.example',
  referer: 'https://client.example',
  'x-title': 'Client',
});

function requestOf({ page, api, model }: Guide): PageRequest {
  if (model === null) return new GuidePage(page).request;
  const messages = [{ role: 'user', content: 'Hello' }];
  return { path: PATHS[api], body: { model, messages, ...(api === 'anthropic' && { max_tokens: 64 }) } };
}

const named = ({ headers }: ReceivedRequest): string[] =>
  headers.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());

describe.each(GUIDES.map((guide) => [guide.page, guide.file + 1, guide.api, guide] as const))(
  'docs/upstreams/%s.md, file %s, %s',
  (page, _number, api, guide) => {
    const request = requestOf(guide);
    const sent = guide.sent ?? String(request.body['model']);
    let guided: GuideGateway;
    let provider: VendorProvider;
    let key: Key;
    beforeAll(async () => {
      guided = await GuideGateway.start(new GuidePage(page).files[guide.file]!, { [guide.upstream]: guide.vendor });
      provider = guided.provider(guide.upstream);
      key = await guided.gateway.createKey();
    });
    beforeEach(() => provider.server.reset());
    afterAll(() => guided?.stop());

    const send = (fields: object = {}): Promise<Response> =>
      guided.gateway.call('POST', request.path, {
        key,
        headers: clientHeaders(key),
        body: { ...request.body, ...fields },
      });

    function expectOneRequest(): void {
      const [call, ...others] = provider.calls;
      expect(others).toEqual([]);
      expect([call!.path, call!.json()['model']]).toEqual([guide.path, sent]);
      expect(Object.fromEntries(Object.keys(guide.headers).map((name) => [name, call!.header(name)]))).toEqual(
        guide.headers,
      );
      const version = api === 'anthropic' ? ['anthropic-version'] : [];
      expect(named(call!).toSorted()).toEqual([...USUAL, ...Object.keys(guide.headers), ...version].toSorted());
      expect(JSON.stringify(call!.headers)).not.toContain(key.key);
    }

    function expectNoSecret({ headers, text }: Response): void {
      expect(ACCOUNT_HEADERS.filter((name) => headers.has(name))).toEqual([]);
      if (provider.secret !== null) expect(JSON.stringify([...headers]) + text).not.toContain(provider.secret);
    }

    test('a request reaches the provider in its format, with only the headers of the account', async () => {
      const response = await send();
      expect([response.status, response.headers.get('x-gw-upstream')]).toEqual([200, guide.upstream]);
      expect(response.body['model']).toBe(sent);
      expectOneRequest();
      expectNoSecret(response);
    });

    test('a stream is forwarded to its end', async () => {
      const response = await send({ stream: true });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
      expect(response.text).toMatch(api === 'openai' ? /data: \[DONE\]\n\n$/ : /"type":"message_stop"\}\n\n$/);
      expectOneRequest();
      expectNoSecret(response);
    });

    test('the list has exactly the models that clients can use', async () => {
      const { body } = await guided.gateway.call<{ data: { id: string; gw_upstreams: string[] }[] }>(
        'GET',
        '/v1/models',
        {
          key,
        },
      );
      expect(body.data.map(({ id }) => id).toSorted()).toEqual(guide.lists.toSorted());
      for (const model of body.data) expect(model.gw_upstreams).toEqual([guide.upstream]);
    });

    test('the upstream test reports the documented status', async () => {
      const { status, ok } = await guided.test(guide.upstream);
      expect([status, ok]).toEqual([guide.tests[0], true]);
    });

    test('an invalid credential is an account error that names no secret', async () => {
      if (guide.rejection === null) return expect(provider.secret).toBeNull();
      const { secret } = provider;
      provider.secret = 'another-secret-of-the-account';
      try {
        const [provided, shown] = guide.rejection;
        const response = await send();
        expect([response.status, response.headers.get('x-gw-upstream-status')]).toEqual([shown, String(provided)]);
        expect(response.headers.get('x-gw-upstream')).toBe(guide.upstream);
        expect(response.text + JSON.stringify([...response.headers])).not.toContain(secret);
        expect(provider.calls).toHaveLength(1);
        expect((await guided.test(guide.upstream)).status).toBe(guide.tests[1]);
      } finally {
        provider.secret = secret;
      }
    });
  },
);
