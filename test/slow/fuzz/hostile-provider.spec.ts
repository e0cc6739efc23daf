import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RawProvider } from '../../../sandbox/src/scripted/raw-provider.js';
import type { RawRequest } from '../../../sandbox/src/scripted/raw-request.js';
import { UpstreamClient } from '../../../src/upstream/upstream-client.js';
import { describeInOrder } from '../../support/describe-in-order.js';
import type { Key, TestGateway } from '../../support/gateway.js';
import { startGateway } from '../../support/ready-gateway.js';
import { MODEL_LIST } from '../../support/scripted-upstream-responses.js';
import { until } from '../../support/until.js';
import { postHead, Wire } from '../../support/wire.js';
import { Dice } from '../../fuzz/dice.js';
import { CASES, Prototypes, SEED } from '../../fuzz/fuzz.js';
import { SECRET } from './hostile-json.js';
import { hostileCase, type HostileCase } from './hostile-provider.js';

/** For each profile, over real sockets, and with framing that only bytes can express. */
const HTTP_CASES = Math.ceil(CASES * 0.01);
const LANES = 64;
const RESPONSE_MS_MAX = 30_000;

const PATHS: Readonly<Record<string, object>> = {
  '/v1/chat/completions': { messages: [{ role: 'user', content: 'x' }] },
  '/v1/completions': { prompt: 'x' },
  '/v1/responses': { input: 'x' },
};

const caseOf = (number: number): HostileCase => hostileCase(new Dice(SEED, number, 23));

/** Writes a response, possibly with wrong framing, and then ends, resets or keeps the connection. */
function respond(dice: Dice, hostile: HostileCase, socket: Socket): void {
  const body = Buffer.from(hostile.body, 'latin1');
  const framing = dice.pick(['length', 'length', 'chunks', 'chunks', 'close', 'short', 'long', 'bad chunk'] as const);
  const interim = dice.oneIn(10) ? 'HTTP/1.1 103 Early Hints\r\nX-Request-Id: interim\r\n\r\n' : '';
  const lines = [`HTTP/1.1 ${String(hostile.status).padStart(3, '0')} ${dice.pick(['OK', '', SECRET, '\xff'])}`];
  for (const name of Object.keys(hostile.headers)) {
    if (/^(?:content-length|transfer-encoding|content-encoding)$/.test(name)) continue;
    for (const value of [hostile.headers[name]].flat()) lines.push(`${name}: ${String(value)}`);
  }
  if (framing === 'length') lines.push(`Content-Length: ${body.length}`);
  if (framing === 'short') lines.push(`Content-Length: ${Math.max(0, body.length - 3)}`);
  if (framing === 'long') lines.push(`Content-Length: ${body.length + 3}`);
  const isChunked = framing === 'chunks' || framing === 'bad chunk';
  if (isChunked) lines.push('Transfer-Encoding: chunked');
  socket.write(Buffer.from(`${interim}${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
  for (const piece of piecesOf(body, hostile)) {
    if (!isChunked) socket.write(piece);
    else if (piece.length > 0)
      socket.write(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, CRLF]));
  }
  if (framing === 'bad chunk') socket.write('zz\r\n');
  if (hostile.ending === 'reset') return void setTimeout(() => socket.resetAndDestroy(), 20);
  if (hostile.ending === 'hold') return;
  if (isChunked) socket.write(`0\r\n${dice.oneIn(4) ? `X-Request-Id: ${SECRET}\r\n` : ''}\r\n`);
  if (framing !== 'length' && framing !== 'chunks') socket.end();
}

const CRLF = Buffer.from('\r\n');
const piecesOf = (body: Buffer, { cuts }: HostileCase): Buffer[] =>
  [...cuts, body.length].map((cut, at) => body.subarray(cuts[at - 1] ?? 0, cut));

function onRequest({ method, edges }: RawRequest, socket: Socket): void {
  const number = /"user":"case-(\d+)"/.exec(edges)?.[1];
  if (number !== undefined) return respond(new Dice(SEED, Number(number), 29), caseOf(Number(number)), socket);
  const leaking = {
    ...MODEL_LIST,
    data: [...MODEL_LIST.data, { id: `leaking-${SECRET}` }, { id: 'l', owned_by: SECRET }],
  };
  const body = method === 'GET' ? JSON.stringify(leaking) : '{"choices":[]}';
  socket.write(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
}

describe.each([
  ['specification', 'wrap', 0],
  ['current', 'relay', HTTP_CASES],
] as const)('a hostile provider with GW_PROFILE=%s and GW_UPSTREAM_ERRORS=%s', (profile, errors, first) => {
  const prototypes = new Prototypes();
  let provider: RawProvider;
  let gateway: TestGateway;
  let key: Key;
  beforeAll(async () => {
    provider = await RawProvider.start({ onRequest });
    gateway = await startGateway({
      GW_UPSTREAM_BASE_URL: provider.url,
      GW_UPSTREAM_API_KEY: SECRET,
      GW_PROFILE: profile,
      GW_UPSTREAM_ERRORS: errors,
      GW_UPSTREAM_IDLE_TIMEOUT_MS: '400',
      GW_UPSTREAM_HEAD_TIMEOUT_MS: '2000',
      GW_LOG_SAMPLE_RATE: '0',
    });
    key = await gateway.createKey();
  });
  afterAll(async () => {
    await gateway.stop();
    await provider.stop();
  });

  const failures = () => gateway.app.get(UpstreamClient).byName('default')!.failures;

  /** Returns everything that the client receives until the response is complete or the connection closes. */
  async function send(number: number): Promise<string> {
    const dice = new Dice(SEED, number, 31);
    const path = dice.pick(Object.keys(PATHS));
    const { asksForStream } = caseOf(number);
    const body = JSON.stringify({
      model: 'gpt-4o-mini',
      user: `case-${number}`,
      stream: asksForStream,
      ...PATHS[path],
    });
    const wire = await Wire.open(gateway.port);
    wire.write(`${postHead(path, key.key, 'Content-Type: application/json', `Content-Length: ${body.length}`)}${body}`);
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('no response')), RESPONSE_MS_MAX);
    });
    try {
      const response = await Promise.race([wire.response().catch(() => null), silence]);
      return response === null ? wire.unread : `${JSON.stringify(response.headers)}${response.text}`;
    } finally {
      clearTimeout(timer);
      wire.close();
    }
  }

  describeInOrder('and real sockets', () => {
    test(`every request gets a response without the credential, or a closed connection (${HTTP_CASES} cases)`, async () => {
      let next = first;
      const end = first + HTTP_CASES;
      const lane = async (): Promise<void> => {
        while (next < end) {
          const number = next++;
          const received = await send(number).catch((error: unknown) => String(error));
          const problem = received === 'Error: no response' || received.includes(SECRET) || failures().internal > 0;
          if (problem) throw new Error(`FUZZ_SEED=${SEED}, case ${number}: ${received.slice(0, 2_000)}`);
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
    }, 600_000);

    test('everything is released, the next request is served, and the model list contains no credential', async () => {
      prototypes.mustBeUntouched();
      const { permits } = gateway.app.get(UpstreamClient).all[0]!;
      await until(() => permits.waiting === 0 && permits.free === 4096);
      expect((await gateway.chat(key)).status).toBe(200);
      const { text, status } = await gateway.call('GET', '/v1/models', { key });
      expect([status, text.includes(SECRET), text.includes('gpt-4o-mini')]).toEqual([200, false, true]);
    });
  });
});
