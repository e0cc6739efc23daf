import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestGateway, UPSTREAM_KEY, type Key } from '../../support/gateway.js';
import { startGateway } from '../../support/ready-gateway.js';
import { startUpstream } from '../../support/scripted-upstream.js';
import { errorIn, errorCodeIn } from '../../support/responses.js';

const PATH = '/v1/chat/completions';

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.upstream.reset());

const upstreamReturns = (status: number, body: string, headers: Record<string, string> = {}) =>
  gateway.upstream.on('POST', PATH, (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
const errorBody = (message: string) => JSON.stringify({ error: { message, type: 'x', code: 'y' } });

describe('upstream response outside 2xx', () => {
  test.each<[number, Record<string, string>, string | null]>([
    [300, {}, null],
    [301, { location: 'http://127.0.0.1:1/' }, null],
    [307, { location: '/v1/models' }, null],
    [400, {}, 'false'],
    [401, {}, 'false'],
    [402, {}, 'false'],
    [403, {}, 'false'],
    [404, {}, 'false'],
    [408, {}, null],
    [409, {}, null],
    [413, {}, 'false'],
    [422, {}, 'false'],
    [429, { 'retry-after': '7' }, null],
    [500, {}, null],
    [503, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, null],
    [529, {}, null],
  ])(
    'status %i with headers %j becomes 502 upstream_error with x-should-retry %j',
    async (status, sent, shouldRetry) => {
      for (const stream of [false, true]) {
        upstreamReturns(status, errorBody('message from the upstream'), { ...sent, 'x-request-id': 'req_1' });
        const response = await gateway.chat(key, { stream });
        expect(errorCodeIn(response)).toBe('502 upstream_error');
        expect(errorIn(response)).toMatchObject({
          type: 'api_error',
          param: null,
          message: 'message from the upstream',
        });
        expect(response.headers.get('x-gw-upstream-status')).toBe(String(status));
        expect(response.headers.get('x-gw-upstream-request-id')).toBe('req_1');
        expect(response.headers.get('x-should-retry')).toBe(shouldRetry);
        expect(response.headers.get('retry-after')).toBe(sent['retry-after'] ?? null);
        expect(response.headers.get('location')).toBeNull();
        expect(response.headers.get('x-gw-upstream-latency')).toMatch(/^\d+$/);
      }
      expect(gateway.upstream.requests).toHaveLength(2);
    },
  );

  test.each([
    ['{"detail":"no such voice"}', 'no such voice'],
    ['{"detail":[{"loc":["body","n"],"msg":"too many","type":"x"}]}', 'body.n: too many'],
    ['{"object":"error","message":{"detail":[{"loc":["body"],"msg":"no JSON"}]}}', 'body: no JSON'],
    ['{"errors":[{"message":"first"},{"message":"second"}]}', 'first'],
    ['{"error":"overloaded"}', 'overloaded'],
    ['[{"error":{"message":"in a list"}}]', 'in a list'],
    ['{"detail":[{"loc":5}]}', 'The upstream returned status 422.'],
    ['{"errors":[]}', 'The upstream returned status 422.'],
    ['<html>', 'The upstream returned status 422.'],
  ])('the body %s becomes the message %j', async (body, message) => {
    upstreamReturns(422, body);
    expect(errorIn(await gateway.chat(key))).toMatchObject({ code: 'upstream_error', message });
  });

  test.each([
    ['the key of the provider account', UPSTREAM_KEY],
    ['an OpenAI key', 'sk-proj-abcdefghijklmnopqrstuvwxyz012345'],
    ['a masked key', 'sk-abcde************************wxyz'],
    ['an Anthropic key', 'sk-ant-api03-abcdefghijklmnop'],
    ['a Google key', 'AIzaSyA1234567890abcdefghij'],
    ['an xAI key', 'xai-abcdefghijklmnopqrst'],
    ['a Groq key', 'gsk_abcdefghijklmnopqrst'],
    ['a bearer token', 'Bearer abcdefghijklmnop.qrstuv'],
  ])('%s never appears in the message, even if the message is truncated', async (_what, credential) => {
    for (const before of ['', 'x'.repeat(480), 'x'.repeat(499)]) {
      upstreamReturns(401, errorBody(`${before} wrong key: ${credential} given`));
      const { message } = errorIn(await gateway.chat(key));
      const secret = credential.replace('Bearer ', '');
      for (let length = secret.length; length >= 12; length -= 4)
        expect(message).not.toContain(secret.slice(0, length));
      expect(message.length).toBeLessThanOrEqual(500);
    }
  });

  test.each([
    ['an HTML page', '<html>bad gateway</html>'],
    ['an empty text', ''],
    ['JSON of another shape', '{"a":[1]}'],
    ['a truncated object', '{"error":{"mess'],
  ])('%s as the body gets the generic message', async (_what, body) => {
    upstreamReturns(500, body);
    expect(errorIn(await gateway.chat(key)).message).toBe('The upstream returned status 500.');
  });
});

describe('upstream without a response', () => {
  test('an upstream connection that closes before the headers causes a 502 without an upstream status', async () => {
    gateway.upstream.on('POST', PATH, (_request, response) => void response.destroy());
    const received = await gateway.chat(key);
    expect(errorCodeIn(received)).toBe('502 upstream_error');
    expect(received.headers.get('x-gw-upstream-status')).toBeNull();
    expect(received.headers.get('x-ratelimit-limit-requests')).toBe('1000000');
    expect(gateway.upstream.requests).toHaveLength(1);
  });

  test('a refused upstream connection causes a 502 with a message that reveals no address', async () => {
    const stopped = await startUpstream();
    const lonely = await startGateway({ GW_UPSTREAM_BASE_URL: stopped.url }, { upstream: stopped });
    const made = await lonely.createKey();
    expect((await lonely.chat(made)).status).toBe(200);
    await stopped.stop();
    const response = await lonely.chat(made);
    expect(errorCodeIn(response)).toBe('502 upstream_error');
    expect(errorIn(response).message).not.toMatch(/127\.0\.0\.1|localhost|ECONN/);
    expect(response.headers.get('x-gw-upstream-latency')).toBeNull();
    await lonely.stop();
  });
});
