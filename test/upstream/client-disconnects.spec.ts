import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { UpstreamExchange } from '../../src/upstream/send-contract.js';
import { rawUpstream, startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';
import { begin, CHAT_STREAMED, headOf, send, startForwarding, type ForwardingApp } from './forwarding-app.js';
import { until } from '../support/until.js';

const ROUTE = '/v1/chat/completions';

describe('upstream requests of clients that disconnect', () => {
  let upstream: ScriptedUpstream;
  let app: ForwardingApp;
  beforeAll(async () => {
    upstream = await startUpstream();
    app = await startForwarding({ url: upstream.url, env: { GW_UPSTREAM_CONNECTIONS: '1' } });
  });
  afterAll(async () => {
    await app.stop();
    await upstream.stop();
  });
  beforeEach(() => upstream.reset());

  const idle = () => app.running === 0 && app.first.permits.free === 1;

  test('aborts the upstream request if the client disconnects before the response', async () => {
    for (let n = 0; n < 9; n++) {
      upstream.reset();
      upstream.on('POST', ROUTE, () => {});
      const call = begin(app.port);
      const received = await upstream.received(0);
      call.destroy();
      await received.gone;
      await until(idle);
    }
  });

  test('aborts the upstream request if the client disconnects between two chunks of a stream', async () => {
    upstream.on('POST', ROUTE, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    });
    const call = begin(app.port, { body: CHAT_STREAMED });
    const received = await headOf(call);
    await new Promise((resolve) => received.once('data', resolve));
    call.destroy();
    await (
      await upstream.received(0)
    ).gone;
    await until(idle);
    expect(app.contexts.at(-1)!.usage).toEqual({ inputTokens: 0, outputTokens: 0, provenance: 'none' });
  });

  test('aborts the upstream request while it holds a JSON response or reads an error message', async () => {
    for (const status of [200, 500]) {
      upstream.reset();
      let written: () => void = () => {};
      const partly = new Promise<void>((resolve) => (written = resolve));
      upstream.on('POST', ROUTE, (_request, response) => {
        response.writeHead(status, { 'content-type': 'application/json' }).write('{"a":', () => written());
      });
      const call = begin(app.port);
      await partly;
      const upstreamLatencyKnown = () => app.contexts.at(-1)?.upstream.latencyMs !== null;
      await until(upstreamLatencyKnown);
      call.destroy();
      await (
        await upstream.received(0)
      ).gone;
      await until(idle);
    }
  });

  test('sends nothing upstream if the client disconnects while its request waits for a connection', async () => {
    upstream.on('POST', ROUTE, () => {});
    const first = begin(app.port);
    await upstream.received(0);
    const second = begin(app.port);
    await until(() => app.first.permits.waiting === 1);
    second.destroy();
    await until(() => app.first.permits.waiting === 0 && app.running === 1);
    first.destroy();
    await until(idle);
    expect(upstream.requests).toHaveLength(1);
  });

  test('sends nothing upstream and keeps the connection if the client disconnects while it is opened', async () => {
    const untouched = await startUpstream();
    const fresh = await startForwarding({ url: untouched.url, env: { GW_UPSTREAM_CONNECTIONS: '1' } });
    const request = { holder: 'key', method: 'GET', path: '/models', headers: [], body: null };
    const events: string[] = [];
    const sink = {
      onStart: (exchange: UpstreamExchange) => queueMicrotask(() => exchange.abort()),
      onHead: () => events.push('head'),
      onData: () => events.push('data'),
      onEnd: () => events.push('end'),
      onError: () => events.push('error'),
    };
    fresh.upstream.send(request, sink);
    await until(() => fresh.first.permits.free === 1);
    expect((await send(fresh.port, { method: 'GET', path: '/v1/models' })).status).toBe(200);
    expect(events).toEqual([]);
    expect(untouched.requests).toHaveLength(1);
    expect(untouched.connections).toBe(1);
    await fresh.stop();
    await untouched.stop();
  });

  test('releases the connection permit of a disconnected client when the hanging TLS handshake ends', async () => {
    const mute = await rawUpstream(() => {});
    const url = mute.url.replace('http:', 'https:');
    const tls = await startForwarding({ url, env: { GW_UPSTREAM_CONNECTIONS: '1' } });
    const call = begin(tls.port);
    await until(() => mute.sockets.size === 1);
    call.destroy();
    await until(() => tls.running === 0);
    for (const socket of mute.sockets) socket.destroy();
    await until(() => tls.first.permits.free === 1);
    await tls.stop();
    await mute.stop();
  });

  test('releases the connection permit if the client disconnects between two connection attempts', async () => {
    const closed = await startUpstream();
    await closed.stop();
    const refused = await startForwarding({ url: closed.url, env: { GW_UPSTREAM_CONNECTIONS: '1' } });
    const call = begin(refused.port);
    await until(() => refused.running === 1);
    // The first retry follows after 50 ms.
    setTimeout(() => call.destroy(), 20);
    await until(() => refused.running === 0 && refused.first.permits.free === 1);
    await refused.stop();
  });

  test('serves the next request after each abort', async () => {
    for (let n = 0; n < 20; n++) {
      upstream.reset();
      upstream.on('POST', ROUTE, () => {});
      const call = begin(app.port);
      const { gone } = await upstream.received(0);
      call.destroy();
      await gone;
      upstream.reset();
      expect((await send(app.port)).status).toBe(200);
    }
  });
});
