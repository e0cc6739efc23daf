import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ForwardPlan } from '../../src/proxy/forward-plan.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';
import { CHAT, UPSTREAM_KEY, errorIn, send, startForwarding } from './forwarding-app.js';

let upstream: ScriptedUpstream;
beforeAll(async () => {
  upstream = await startUpstream();
});
afterEach(() => upstream.reset());
afterAll(() => upstream.stop());

async function withPlan(plan: ForwardPlan, headers: Record<string, string> = {}) {
  const app = await startForwarding({ url: upstream.url, plan });
  try {
    return await send(app.port, { headers, path: '/v1/chat/completions?mine=1' });
  } finally {
    await app.stop();
  }
}

describe('ForwardPlan', () => {
  test('sends the path and query of the plan without credentials in the query', async () => {
    await withPlan({ path: '/elsewhere?a=1&api_key=secret' });
    expect(upstream.requests[0]!.path).toBe('/v1/elsewhere?a=1');
  });

  test('sends the body of the plan with its length', async () => {
    const body = Buffer.from(`{"é":${JSON.stringify(CHAT)}}`);
    await withPlan({ body });
    const [request] = upstream.requests;
    expect(request!.body.equals(body)).toBe(true);
    expect(request!.header('content-length')).toBe(String(body.length));
  });

  test('headers of the plan replace those of the client with the same name', async () => {
    await withPlan(
      { headers: { 'anthropic-beta': 'a,b', 'x-of-the-route': '1' } },
      { 'anthropic-beta': 'mine', 'user-agent': 'sdk' },
    );
    const names = upstream.requests[0]!.headers.filter((_, at) => at % 2 === 0);
    expect(names.filter((name) => name === 'anthropic-beta')).toHaveLength(1);
    const request = upstream.requests[0]!;
    expect(['anthropic-beta', 'x-of-the-route', 'user-agent'].map((name) => request.header(name))).toEqual([
      'a,b',
      '1',
      'sdk',
    ]);
  });

  test('rejects an invalid header value with 400 and sends nothing upstream', async () => {
    const response = await withPlan({ headers: { 'anthropic-beta': 'a\r\nx: y' } });
    expect([response.status, errorIn(response).code]).toEqual([400, 'bad_request']);
    expect(upstream.requests).toEqual([]);
  });

  test.each(['authorization', 'content-length', 'host', 'Anthropic-Beta', 'a b'])(
    'a plan cannot set the header %j',
    async (name) => {
      const response = await withPlan({ headers: { [name]: 'x' } });
      expect(response.status).toBeGreaterThanOrEqual(500);
      expect(upstream.requests).toEqual([]);
    },
  );

  test('sends the account credential with every plan', async () => {
    await withPlan({ path: '/x', headers: { 'anthropic-beta': 'b' }, body: Buffer.from('{}') });
    expect(upstream.requests[0]!.header('authorization')).toBe(`Bearer ${UPSTREAM_KEY}`);
  });

  test('forwards content-disposition only for files', async () => {
    upstream.on(
      'POST',
      '/v1/chat/completions',
      (_request, response) =>
        void response
          .writeHead(200, { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename="a"' })
          .end('x'),
    );
    expect((await withPlan({ returnsFile: true })).headers['content-disposition']).toBe('attachment; filename="a"');
    expect((await withPlan({})).headers['content-disposition']).toBeUndefined();
  });
});
