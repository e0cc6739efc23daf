import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Api } from '../../src/platform/config/upstreams/upstreams-file.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';
import { UPSTREAM_KEY, begin, errorIn, send, startForwarding, type ForwardingApp } from './forwarding-app.js';
import { until } from '../support/until.js';

const OWN_KEY = 'messages-credential-of-its-own';

let main: ScriptedUpstream;
let other: ScriptedUpstream;
beforeAll(async () => {
  [main, other] = await Promise.all([startUpstream(), startUpstream()]);
});
afterEach(() => {
  main.reset();
  other.reset();
});
afterAll(() => Promise.all([main.stop(), other.stop()]));

async function withApp<T>(
  { env = {}, api = 'anthropic' }: { env?: Record<string, string>; api?: Api },
  work: (app: ForwardingApp) => Promise<T>,
): Promise<T> {
  const app = await startForwarding({ url: main.url, api, env });
  try {
    return await work(app);
  } finally {
    await app.stop();
  }
}
const sentWith = (env: Record<string, string>, headers: Record<string, string> = {}) =>
  withApp({ env }, (app) => send(app.port, { headers }));

describe('upstream of the Messages routes', () => {
  test('sends Messages requests to the default upstream with its key in both headers', async () => {
    await sentWith({});
    const [request] = main.requests;
    expect(request!.header('authorization')).toBe(`Bearer ${UPSTREAM_KEY}`);
    expect(request!.header('x-api-key')).toBe(UPSTREAM_KEY);
  });

  test('sends only Messages requests to GW_UPSTREAM_MESSAGES_BASE_URL', async () => {
    const env = { GW_UPSTREAM_MESSAGES_BASE_URL: other.url.replace('/v1', '/deep/v1/') };
    await sentWith(env);
    expect(other.requests.map(({ path }) => path)).toEqual(['/deep/v1/chat/completions']);
    expect(main.requests).toEqual([]);
    await withApp({ env, api: 'openai' }, (app) => send(app.port));
    expect(main.requests.map(({ path }) => path)).toEqual(['/v1/chat/completions']);
  });

  test('sends GW_UPSTREAM_MESSAGES_API_KEY only as x-api-key', async () => {
    await sentWith(
      { GW_UPSTREAM_MESSAGES_BASE_URL: other.url, GW_UPSTREAM_MESSAGES_API_KEY: OWN_KEY },
      { 'x-api-key': 'sk-gw-client' },
    );
    const [request] = other.requests;
    expect(request!.header('x-api-key')).toBe(OWN_KEY);
    expect(request!.header('authorization')).toBeUndefined();
    expect(JSON.stringify(request!.headers)).not.toContain(UPSTREAM_KEY);
  });

  test('never sends x-api-key or anthropic-version on other routes', async () => {
    await withApp({ env: { GW_UPSTREAM_MESSAGES_API_KEY: OWN_KEY }, api: 'openai' }, (app) => send(app.port));
    expect(main.requests[0]!.header('x-api-key')).toBeUndefined();
    expect(main.requests[0]!.header('anthropic-version')).toBeUndefined();
  });

  test('sends the anthropic-version of the client, or a default one', async () => {
    await sentWith({});
    await sentWith({}, { 'anthropic-version': '2099-01-01' });
    expect(main.requests.map((request) => request.header('anthropic-version'))).toEqual(['2023-06-01', '2099-01-01']);
  });

  test('redacts both upstream keys in error messages', async () => {
    other.on('POST', '/v1/chat/completions', (_request, response) => {
      response.writeHead(401).end(JSON.stringify({ error: { message: `bad: ${OWN_KEY}, ${UPSTREAM_KEY}` } }));
    });
    const received = await sentWith({
      GW_UPSTREAM_MESSAGES_BASE_URL: other.url,
      GW_UPSTREAM_MESSAGES_API_KEY: OWN_KEY,
    });
    expect(errorIn(received).message).toBe('bad: [redacted], [redacted]');
  });
});

describe('connections of the two upstreams', () => {
  const hold = (upstream: ScriptedUpstream) => upstream.on('POST', '/v1/chat/completions', () => {});
  const env = { GW_UPSTREAM_CONNECTIONS: '3' };

  test('two base URLs on the same server share their connections', async () => {
    hold(main);
    await withApp({ env: { ...env, GW_UPSTREAM_MESSAGES_BASE_URL: main.url } }, async (app) => {
      const call = begin(app.port);
      await main.received(0);
      expect([app.first.permits.free, app.upstream.byName('messages')!.permits.free]).toEqual([2, 2]);
      call.destroy();
      await until(() => app.running === 0);
    });
  });

  test('two servers have separate connections', async () => {
    hold(other);
    await withApp({ env: { ...env, GW_UPSTREAM_MESSAGES_BASE_URL: other.url } }, async (app) => {
      const call = begin(app.port);
      await other.received(0);
      expect([app.first.permits.free, app.upstream.byName('messages')!.permits.free]).toEqual([3, 2]);
      call.destroy();
      await until(() => app.running === 0);
    });
  });

  test('a Messages upstream that refuses connections opens only its own circuit breaker', async () => {
    await withApp({ env: { GW_UPSTREAM_MESSAGES_BASE_URL: 'http://127.0.0.1:1/v1' } }, async (app) => {
      while (!app.upstream.byName('messages')!.breaker.open) await send(app.port);
      expect(app.first.breaker.open).toBe(false);
    });
  });
});
