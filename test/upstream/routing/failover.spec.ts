import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Key } from '../../support/gateway.js';
import { respondsWith, RoutedGateway } from './routed-gateway.js';

describe('failover between two upstreams', () => {
  let routed: RoutedGateway;
  let key: Key;
  beforeAll(async () => {
    routed = await RoutedGateway.start({
      upstreams: [{ name: 'first' }, { name: 'second' }],
    });
    key = await routed.gateway.createKey();
  });
  beforeEach(() => routed.reset());
  afterAll(() => routed.stop());

  test('the first upstream serves as long as it can', async () => {
    const response = await routed.gateway.chat(key);
    expect([response.status, response.headers.get('x-gw-upstream')]).toEqual([200, 'first']);
    expect(routed.counts()).toEqual({ first: 1, second: 0 });
  });

  test.each([429, 503, 529])('%s of the first upstream moves the request to the second', async (status) => {
    respondsWith(routed.provider('first'), status);
    const response = await routed.gateway.chat(key);
    expect([response.status, response.headers.get('x-gw-upstream')]).toEqual([200, 'second']);
    expect(routed.counts()).toEqual({ first: 1, second: 1 });
  });

  test.each([400, 404, 500, 502, 504])('%s is final, and the request is not repeated', async (status) => {
    respondsWith(routed.provider('first'), status);
    const response = await routed.gateway.chat(key);
    expect([response.status, response.headers.get('x-gw-upstream-status')]).toEqual([502, String(status)]);
    expect(response.headers.get('x-gw-upstream')).toBe('first');
    expect(routed.counts()).toEqual({ first: 1, second: 0 });
  });

  const fails = (status: number, error: object) =>
    routed.provider('first').on('POST', '/v1/chat/completions', () => ({ status, body: { error } }));
  /** How many of 50 requests the first upstream gets, and how many responses are not 200. */
  const fifty = async () => {
    let failed = 0;
    for (let sent = 0; sent < 50; sent++) if ((await routed.gateway.chat(key)).status !== 200) failed += 1;
    return { first: routed.counts()['first'], failed };
  };
  const stateOf = async () =>
    (await routed.gateway.admin<{ status: string; last_error: object | null }>('GET', '/admin/upstreams/first')).body;

  test.each([
    [401, { message: 'Incorrect API key provided', code: 'invalid_api_key' }],
    [402, { message: 'Payment required' }],
    [403, { message: 'Your account may not use this service' }],
    [404, { message: 'The model `x` does not exist', code: 'model_not_found' }],
    [400, { message: 'Your credit balance is too low to access the API', type: 'invalid_request_error' }],
    [429, { message: 'You exceeded your current quota', code: 'insufficient_quota' }],
  ])('an account that always responds with %s gets one request, and every caller is served', async (status, error) => {
    fails(status, error);
    expect(await fifty()).toEqual({ first: 1, failed: 0 });
    expect(await stateOf()).toMatchObject({ status: 'refused', last_error: { message: error.message } });
  });

  test.each([500, 502, 504, 520])(
    'an upstream that always responds with %s gets two of the next requests',
    async (status) => {
      fails(status, { message: 'broken' });
      expect(await fifty()).toEqual({ first: 2, failed: 2 });
      expect(await stateOf()).toMatchObject({ status: 'failing', last_error: { status, message: 'broken' } });
    },
  );

  test.each([
    [403, { message: 'Content violates usage guidelines' }],
    [403, { message: 'Input was flagged', metadata: { reasons: ['violence'], flagged_input: 'x' } }],
    [404, { message: 'No endpoints found that support tool use' }],
    [400, { message: 'Invalid value', type: 'invalid_request_error' }],
  ])('%s because of the request itself does not pause the upstream: %j', async (status, error) => {
    fails(status, error);
    expect(await fifty()).toEqual({ first: 50, failed: 50 });
    expect(await stateOf()).toMatchObject({ status: 'ready', last_error: null });
  });

  test.each([
    [
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
      200,
      'second',
    ],
    [': waiting\n\ndata: {"error":{"code":503,"message":"busy"}}\n\n', 200, 'second'],
    ['data: {"error":{"type":"server_error","message":"broken"}}\n\n', 200, 'first'],
    ['data: {"choices":[]}\n\ndata: {"error":{"code":503,"message":"busy"}}\n\n', 200, 'first'],
  ])('the first event of a stream decides like the status that it stands for: %j', async (stream, status, upstream) => {
    routed.provider('first').on('POST', '/v1/chat/completions', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(stream);
    });
    const response = await routed.gateway.chat(key, { stream: true });
    expect([response.status, response.headers.get('x-gw-upstream')]).toEqual([status, upstream]);
  });

  test.each([
    [{ type: 'server_error', message: 'broken' }, 2],
    [{ type: 'overloaded_error', message: 'busy' }, 1],
    [{ code: 'content_filter', message: 'The response was filtered' }, 10],
  ])('an error inside a stream counts like the status that it stands for: %j', async (error, count) => {
    routed.provider('first').on('POST', '/v1/chat/completions', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: {"choices":[]}\n\ndata: ${JSON.stringify({ error })}\n\n`);
    });
    for (let sent = 0; sent < 10; sent++) await routed.gateway.chat(key, { stream: true });
    expect(routed.counts()['first']).toBe(count);
  });
});
