import { request as httpRequest } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { errorIn, snapshot } from '../../support/responses.js';
import { startGateway } from '../../support/ready-gateway.js';
import type { Key } from '../../support/gateway.js';
import { MESSAGE, RESPONSE as MESSAGE_RESPONSE } from '../../support/message-responses.js';
import { BOUNDARY, file, formOf, text } from '../../support/multipart-forms.js';
import { RoutedGateway, respondsWith } from './routed-gateway.js';

describe('failover on each kind of route', () => {
  let routed: RoutedGateway;
  let key: Key;
  beforeAll(async () => {
    routed = await RoutedGateway.start({
      upstreams: [
        { name: 'first', apis: ['openai', 'anthropic'] },
        { name: 'second', apis: ['openai', 'anthropic'] },
      ],
    });
    key = await routed.gateway.createKey();
  });
  beforeEach(() => routed.reset());
  afterEach(() => routed.idle());
  afterAll(() => routed.stop());

  const bodies = (name: string) =>
    routed.provider(name).requests.map(({ route, body }) => [route, body.toString('latin1')]);
  const unavailable = (method: string, path: string) =>
    routed.provider('first').on(method, path, () => ({ status: 503, body: { error: { message: 'busy' } } }));

  test('a streamed chat completion comes completely from the second upstream', async () => {
    respondsWith(routed.provider('first'), 503);
    const response = await routed.gateway.chat(key, { stream: true, stream_options: { include_usage: true } });
    expect([response.status, response.headers.get('x-gw-upstream')]).toEqual([200, 'second']);
    expect(response.text).toMatch(/^data: \{.*Hello.*data: \[DONE\]\n\n$/s);
    expect(bodies('first')).toEqual(bodies('second'));
    expect(await routed.logOf(response)).toMatchObject({
      upstream: 'second',
      input_tokens: 9,
      output_tokens: 3,
      usage_source: 'reported',
    });
  });

  test.each([false, true])('a legacy completion is emulated at the second upstream (stream: %s)', async (stream) => {
    respondsWith(routed.provider('first'), 503);
    const response = await routed.gateway.call('POST', '/v1/completions', {
      key,
      body: { model: 'gpt-4o-mini', prompt: 'Hello', echo: true, stream },
    });
    expect([response.status, response.headers.get('x-gw-upstream')]).toEqual([200, 'second']);
    expect(response.text).toContain('"object":"text_completion"');
    expect(bodies('first')).toEqual(bodies('second'));
    expect(bodies('first')[0]![0]).toBe('POST /v1/chat/completions');
  });

  test('a form reaches the second upstream with the same bytes', async () => {
    unavailable('POST', '/v1/audio/transcriptions');
    routed.provider('second').on('POST', '/v1/audio/transcriptions', () => ({ body: { text: 'Hello' } }));
    const body = formOf([file('file', Buffer.from([0, 13, 10, 255])), text('model', 'whisper-1')]);
    const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
    const response = await routed.gateway.call('POST', '/v1/audio/transcriptions', { key, body, headers });
    expect([response.status, response.text]).toEqual([200, '{"text":"Hello"}']);
    expect(bodies('first')).toEqual([['POST /v1/audio/transcriptions', body.toString('latin1')]]);
    expect(bodies('second')).toEqual(bodies('first'));
  });

  test('a message reaches the second upstream', async () => {
    unavailable('POST', '/v1/messages');
    routed.provider('second').on('POST', '/v1/messages', () => ({ body: MESSAGE_RESPONSE }));
    const response = await routed.gateway.call('POST', '/v1/messages', {
      key,
      body: { ...MESSAGE, betas: ['a-beta'] },
    });
    expect([response.status, response.headers.get('x-gw-upstream')]).toEqual([200, 'second']);
    expect(routed.provider('second').requests[0]!.header('anthropic-beta')).toBe('a-beta');
    expect(bodies('first')).toEqual(bodies('second'));
  });

  test('quota, usage and the record count a request once, regardless of the attempts', async () => {
    respondsWith(routed.provider('first'), 429);
    const counted = await routed.gateway.createKey({ monthly_limit: 100 });
    const responses = await Promise.all(Array.from({ length: 5 }, () => routed.gateway.chat(counted)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const { today, this_month: month } = await snapshot(routed.gateway, counted);
    expect([today.used, month.requests.used]).toEqual([5, 5]);
    const rows = await Promise.all(responses.map((response) => routed.logOf(response)));
    for (const row of rows)
      expect(row).toMatchObject({ key_id: counted.id, input_tokens: 9, output_tokens: 3, upstream: 'second' });
    const first = rows.filter(({ attempts }) => attempts!.length === 2);
    expect(first.length).toBe(routed.counts()['first']);
    const totals = async () =>
      (await routed.gateway.admin<{ totals: object }>('GET', `/admin/usage?key_id=${counted.id}`)).body.totals;
    expect(await totals()).toMatchObject({ requests: 5, errors: 0, input_tokens: 45, output_tokens: 15 });
  });

  test('errors of the last upstream name it, and each attempt is recorded', async () => {
    respondsWith(routed.provider('first'), 503);
    respondsWith(routed.provider('second'), 529, { 'retry-after': '7' });
    const response = await routed.gateway.chat(key);
    expect([response.status, errorIn(response).code, errorIn(response).message]).toEqual([
      502,
      'upstream_error',
      'status 529',
    ]);
    expect(response.headers.get('x-gw-upstream')).toBe('second');
    expect([response.headers.get('x-gw-upstream-status'), response.headers.get('retry-after')]).toEqual(['529', '7']);
    const row = await routed.logOf(response);
    expect(row).toMatchObject({ status: 502, error_code: 'upstream_error', upstream: 'second', input_tokens: 0 });
    expect(row.attempts).toEqual([
      { upstream: 'first', model: 'gpt-4o-mini', status: 503, error: null, ms: expect.any(Number) },
      { upstream: 'second', model: 'gpt-4o-mini', status: 529, error: null, ms: expect.any(Number) },
    ]);
  });

  test('the record of a request that was not sent to an upstream names none', async () => {
    const response = await routed.gateway.chat(key, { model: 'no-such-model' });
    expect([response.status, response.headers.get('x-gw-upstream')]).toEqual([403, null]);
    expect((await routed.gateway.call('GET', '/v1/models', { key })).headers.get('x-gw-upstream')).toBeNull();
  });

  describe('streamed uploads', () => {
    const upload = (path = '/v1/files') => {
      const body = formOf([text('purpose', 'batch'), file('file', 'x'.repeat(300_000), 'a.jsonl')]);
      const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
      return routed.gateway.call('POST', path, { key, body, headers });
    };

    test('an upload goes to the second upstream if the first cannot be reached', async () => {
      routed.provider('second').on('POST', '/v1/files', () => ({ body: { id: 'file-2', object: 'file' } }));
      await routed.provider('first').stop();
      const response = await upload();
      expect([response.status, response.headers.get('x-gw-upstream')]).toEqual([200, 'second']);
      expect(routed.counts('POST /v1/files')).toEqual({ first: 0, second: 1 });
      expect(routed.provider('second').requests[0]!.body.length).toBeGreaterThan(300_000);
      await routed.restart('first');
    });

    test('an upload that was read is not repeated, even after a rejection', async () => {
      unavailable('POST', '/v1/files');
      routed.provider('second').on('POST', '/v1/files', () => ({ body: { id: 'file-2', object: 'file' } }));
      const response = await upload();
      expect([response.status, response.headers.get('x-gw-upstream')]).toEqual([502, 'first']);
      expect(routed.counts('POST /v1/files')).toEqual({ first: 1, second: 0 });
    });

    test('an upload whose connection breaks after a byte was read ends with an error', async () => {
      routed.provider('first').on('POST', '/v1/files', (_, response) => void response.socket!.resetAndDestroy());
      const received = await upload();
      expect([received.status, received.headers.get('x-gw-upstream')]).toEqual([502, 'first']);
      expect(routed.counts('POST /v1/files')['second']).toBe(0);
    });

    test('a client that disconnects during an upload leaks nothing', async () => {
      const headers = {
        authorization: `Bearer ${key.key}`,
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      };
      const call = httpRequest(`${routed.gateway.url}/v1/files`, { method: 'POST', headers }).on('error', () => {});
      call.write(formOf([text('purpose', 'batch')]).subarray(0, -6));
      await routed.running(1);
      call.destroy();
      await routed.idle();
    });
  });
});

test('with GW_UPSTREAM_ERRORS=relay, the client gets the status of the last upstream only', async () => {
  const routed = await RoutedGateway.start(
    { upstreams: [{ name: 'first' }, { name: 'second' }] },
    { GW_UPSTREAM_ERRORS: 'relay' },
  );
  const key = await routed.gateway.createKey();
  respondsWith(routed.provider('first'), 429, { 'retry-after': '5' });
  const served = await routed.gateway.chat(key);
  expect([served.status, served.headers.get('x-gw-upstream'), served.headers.get('retry-after')]).toEqual([
    200,
    'second',
    null,
  ]);
  routed.reset();
  respondsWith(routed.provider('first'), 503);
  respondsWith(routed.provider('second'), 429, { 'retry-after': '5' });
  const relayed = await routed.gateway.chat(key);
  expect([relayed.status, relayed.headers.get('x-gw-upstream'), relayed.headers.get('retry-after')]).toEqual([
    429,
    'second',
    '5',
  ]);
  expect(relayed.body).toEqual({ error: { message: 'status 429' } });
  await routed.stop();
});

test('a single account is not named in X-GW-Upstream', async () => {
  const gateway = await startGateway();
  const key = await gateway.createKey();
  const response = await gateway.chat(key);
  expect([response.status, response.headers.get('x-gw-upstream')]).toEqual([200, null]);
  respondsWith(gateway.upstream, 503);
  const refused = await gateway.chat(key);
  expect([refused.status, refused.headers.get('x-gw-upstream')]).toEqual([502, null]);
  await gateway.stop();
});
