import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ADMIN_KEY, TestGateway, type Key } from '../../../support/gateway.js';
import { chatCompletion } from '../../../support/scripted-upstream-responses.js';
import { until } from '../../../support/until.js';
import { HOST, KINDS, programOf, ReverseProxy } from './reverse-proxies.js';

/** Only Linux accepts connections from every address of 127.0.0.0/8. */
const CLIENT_ADDRESS = '127.0.0.2';
const JSON_TYPE = { 'content-type': 'application/json' };

describe.each(Object.keys(KINDS))('behind %s', (name) => {
  const usable = process.platform === 'linux' && programOf(name) !== null;
  if (!usable) process.stderr.write(`Skipped: these tests need Linux and the program ${name}.\n`);
  const check = usable ? test : test.skip;

  let gateway: TestGateway;
  let proxy: ReverseProxy;
  let key: Key;

  beforeAll(async () => {
    if (!usable) return;
    gateway = await TestGateway.start({ GW_TRUST_PROXY: '127.0.0.1', GW_PROFILE: 'current' });
    proxy = await ReverseProxy.start(name, gateway.port);
    key = await gateway.createKey();
    await until(async () => {
      if (proxy.ended) throw new Error(`${name} ended: ${proxy.log.text}`);
      return (await send('GET', '/health/live').catch(() => undefined))?.status === 200;
    });
  }, 60_000);
  beforeEach(() => gateway?.upstream.reset());
  afterAll(async () => {
    await proxy?.stop();
    await gateway?.stop();
  });

  function open(method: string, path: string, options: RequestOptions = {}) {
    const { headers = {}, ...others } = options;
    return request({
      host: '127.0.0.1',
      port: proxy.port,
      servername: HOST,
      ca: proxy.ca,
      localAddress: CLIENT_ADDRESS,
      agent: false,
      method,
      path,
      headers: { host: HOST, ...(headers as IncomingHttpHeaders) },
      ...others,
    });
  }

  async function send(method: string, path: string, headers: Record<string, string> = {}, body?: string | Buffer) {
    const sent = open(method, path, { headers });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const chunks = (await response.toArray()) as Buffer[];
    return { status: response.statusCode, text: Buffer.concat(chunks).toString() };
  }

  const bearer = () => ({ ...JSON_TYPE, authorization: `Bearer ${key.key}` });
  const chat = (fields: object = {}) =>
    JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }], ...fields });

  check('each chunk of a stream arrives before the provider sends the next one', async () => {
    let stream: ServerResponse | undefined;
    gateway.upstream.on('POST', '/v1/chat/completions', (_, response) => {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      stream.write('data: {"one":1}\n\n');
    });
    const sent = open('POST', '/v1/chat/completions', { headers: bearer() });
    sent.end(chat({ stream: true }));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    for (const next of ['two', 'three', 'four']) {
      expect((await chunks.next()).value?.toString()).toMatch(/^data: .+\n\n$/);
      stream!.write(`data: {"${next}":1}\n\n`);
    }
    expect((await chunks.next()).value?.toString()).toContain('four');
    stream!.end('data: [DONE]\n\n');
    expect((await chunks.next()).value?.toString()).toContain('[DONE]');
  });

  check('a body of 9 MiB is forwarded', async () => {
    gateway.upstream.on('POST', '/v1/chat/completions', () => ({ status: 200, body: chatCompletion('gpt-4o-mini') }));
    const content = 'a'.repeat(9 * 1024 * 1024);
    const body = chat({ messages: [{ role: 'user', content }] });
    expect(await send('POST', '/v1/chat/completions', bearer(), body)).toMatchObject({ status: 200 });
    expect((await gateway.upstream.received(0, 'POST /v1/chat/completions')).body.length).toBe(body.length);
  });

  check('a client that disconnects before the response cancels the request at the provider', async () => {
    gateway.upstream.on('POST', '/v1/chat/completions', () => {});
    const sent = open('POST', '/v1/chat/completions', { headers: bearer() });
    sent.on('error', () => {});
    sent.end(chat());
    const received = await gateway.upstream.received(0, 'POST /v1/chat/completions');
    sent.destroy();
    await received.gone;
    expect(received.aborted).toBe(true);
  });

  check('the audit log has the address of the client, which the client cannot forge', async () => {
    const forged = { 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9', forwarded: 'for=203.0.113.9' };
    const headers = { ...JSON_TYPE, ...forged, authorization: `Bearer ${ADMIN_KEY}` };
    const created = await send('POST', '/admin/api-keys', headers, JSON.stringify({ name: `behind ${name}` }));
    const { id } = JSON.parse(created.text) as { id: string };
    const { body } = await gateway.admin<{ entries: { ip: string }[] }>('GET', `/admin/audit-logs?target_id=${id}`);
    expect(JSON.stringify(body)).toContain(`"ip":"${CLIENT_ADDRESS}"`);
    expect(JSON.stringify(body)).not.toContain('203.0.113.9');
  });

  check('a page of this host can sign in, and a page of a forged host cannot', async () => {
    const signIn = (origin: string, more = {}) =>
      send(
        'POST',
        '/dashboard/session',
        { ...JSON_TYPE, origin, ...more },
        '{"email": "a@b.example", "password": "wrong"}',
      );
    expect(await signIn(`https://${HOST}`)).toMatchObject({ status: 401 });
    const forged = { 'x-forwarded-host': 'evil.example' };
    expect(await signIn('https://evil.example', forged)).toMatchObject({ status: 403 });
    expect(await signIn(`https://${HOST}`, forged)).toMatchObject({ status: 401 });
  });

  check('a WebSocket upgrade receives 426 from the gateway', async () => {
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    const headers = { ...upgrade, 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
    const response = await send('GET', '/v1/responses', headers);
    expect(response).toMatchObject({ status: 426, text: expect.stringContaining('upgrade_required') });
  });
});
