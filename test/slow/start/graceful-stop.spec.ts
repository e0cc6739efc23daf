import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Client } from 'pg';
import { until } from '../../support/until.js';
import { GatewayProcess } from '../../support/gateway-process.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { CHAT_USAGE, chatCompletion, chatStream } from '../../support/scripted-upstream-responses.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';

const CLEAN = { code: 0, signal: null };
const CHATS = '/v1/chat/completions';

let scratch: ScratchDatabase;
let upstream: ScriptedUpstream;
let release: () => void;
let held: Promise<void>;

beforeAll(async () => {
  [scratch, upstream] = await Promise.all([createScratchDatabase(), startUpstream()]);
});
/** The upstream holds responses for the user `held` until `release` is called. The first event of a stream is sent immediately. */
beforeEach(() => {
  ({ promise: held, resolve: release } = Promise.withResolvers<void>());
  upstream.reset();
  upstream.on('POST', CHATS, async (request, response) => {
    const { stream, model } = request.json();
    const [first, ...rest] = stream === true ? chatStream(String(model), true) : [JSON.stringify(chatCompletion('m'))];
    response.writeHead(200, { 'content-type': stream === true ? 'text/event-stream' : 'application/json' });
    if (stream === true) response.write(first);
    if (request.json().user === 'held') await held;
    response.end((stream === true ? '' : first) + rest.join(''));
  });
});
afterEach(async () => {
  release();
  await GatewayProcess.endAll();
});
afterAll(async () => {
  await upstream.stop();
  await scratch.drop();
});

const start = (env: Record<string, string> = {}) =>
  GatewayProcess.start({ DATABASE_URL: scratch.url, GW_UPSTREAM_BASE_URL: upstream.url, ...env });
/** Returns the requests that the upstream has received, without those for the model catalog. */
const chats = () => upstream.requests.filter(({ path }) => path === CHATS);
const HELD = { user: 'held' };

async function heldStream(gateway: GatewayProcess, key: string) {
  const response = await fetch(gateway.url + CHATS, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'gpt-4o-mini',
      messages: [{ role: 'user', content: 'Hello' }],
      ...HELD,
      stream: true,
      stream_options: { include_usage: true },
    }),
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader.read()).value ?? '';
  return {
    /** Rejects if the stream is interrupted. */
    async toItsEnd(): Promise<string> {
      for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
      return text;
    },
  };
}

async function openSocket(gateway: GatewayProcess): Promise<Socket> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

const refusesConnections = (gateway: GatewayProcess) =>
  openSocket(gateway).then(
    (socket) => (socket.destroy(), false),
    (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
  );

async function idleConnection(gateway: GatewayProcess): Promise<Socket> {
  const socket = await openSocket(gateway);
  socket.on('error', () => undefined);
  socket.write('GET /health/live HTTP/1.1\r\nHost: gateway\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

async function usage(keyId: string): Promise<unknown> {
  const client = new Client({ connectionString: scratch.url });
  await client.connect();
  const { rows } = await client.query(
    `select sum(requests)::int as requests, sum(input_tokens + output_tokens)::int as tokens
       from usage_daily where key_id = $1`,
    [keyId],
  );
  await client.end();
  return rows[0];
}

describe('shutdown by signal', () => {
  test('readiness fails first, then connections are refused, and open requests complete and are recorded', async () => {
    const gateway = await start({ GW_DRAIN_DELAY_SECONDS: '1' });
    const { id, key } = await gateway.createKey();
    const buffered = gateway.chat(key, HELD);
    const stream = await heldStream(gateway, key);
    await until(() => chats().length === 2);
    const ready = await gateway.call('GET', '/health/ready');
    expect([ready.status, ready.headers.get('connection')]).toEqual([200, 'keep-alive']);

    gateway.signal('SIGTERM');
    await until(async () => (await gateway.call('GET', '/health/ready')).status === 503);
    for (const [path, status] of [
      ['/health/ready', 503],
      ['/health/live', 200],
      ['/v1/usage', 200],
    ] as const) {
      const response = await gateway.call('GET', path, { key });
      expect([path, response.status, response.headers.get('connection')]).toEqual([path, status, 'close']);
    }
    const late = await gateway.chat(key);
    expect([late.status, late.headers.get('connection')]).toEqual([200, 'close']);

    await until(() => refusesConnections(gateway));
    release();
    expect(await buffered).toMatchObject({ status: 200, body: { object: 'chat.completion' } });
    expect(await stream.toItsEnd()).toMatch(/Hello.*thére.*\[DONE\]\n\n$/s);
    expect(await gateway.ended).toEqual(CLEAN);
    expect(await usage(id)).toEqual({ requests: 3, tokens: 3 * CHAT_USAGE.total_tokens });
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s ends the process with code 0 despite idle connections',
    async (signal) => {
      const gateway = await start({ GW_SHUTDOWN_GRACE_SECONDS: '600' });
      const idle = await Promise.all([idleConnection(gateway), idleConnection(gateway), openSocket(gateway)]);
      expect(await gateway.stop(signal)).toEqual(CLEAN);
      for (const socket of idle) socket.destroy();
    },
  );

  test('requests that outlast the grace period are aborted and recorded, and the exit code is 0', async () => {
    const gateway = await start({ GW_SHUTDOWN_GRACE_SECONDS: '1' });
    const { id, key } = await gateway.createKey();
    const buffered = gateway.chat(key, HELD);
    const stream = await heldStream(gateway, key);
    await until(() => chats().length === 2);
    const cut = [expect(stream.toItsEnd()).rejects.toThrow(), expect(buffered).rejects.toThrow()];
    expect(await gateway.stop()).toEqual(CLEAN);
    await Promise.all(cut);
    await Promise.all(chats().map(({ gone }) => gone));
    expect(await usage(id)).toMatchObject({ requests: 2 });
  });

  test('a second signal ends the process before the grace period', async () => {
    const gateway = await start({ GW_SHUTDOWN_GRACE_SECONDS: '600' });
    const { key } = await gateway.createKey();
    const buffered = expect(gateway.chat(key, HELD)).rejects.toThrow();
    await until(() => chats().length === 1);
    gateway.signal('SIGTERM');
    await until(() => refusesConnections(gateway));
    expect((await gateway.stop('SIGTERM')).code).not.toBe(0);
    await buffered;
  });
});
