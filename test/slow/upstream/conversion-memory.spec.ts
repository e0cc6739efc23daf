import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ConversionMemory } from '../../../src/proxy/response-memory.js';
import type { ResponseConverter } from '../../../src/proxy/forward-plan.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';
import { begin, headOf, startForwarding, type ForwardingApp } from '../../upstream/forwarding-app.js';
import { until } from '../../support/until.js';

const ROUTE = '/v1/chat/completions';
const JSON_TYPE = { 'content-type': 'application/json' };
const MB = 1024 * 1024;
const PIECE = Buffer.alloc(60 * MB, 'x');

const converter: ResponseConverter = {
  buffered: (body) => {
    if (body.includes('refuse me')) throw new Error('not what was expected');
    return [body];
  },
  stream: () => {
    throw new Error('this test requests no streams');
  },
};

let upstream: ScriptedUpstream;
let app: ForwardingApp;
beforeAll(async () => {
  upstream = await startUpstream();
  app = await startForwarding({ url: upstream.url, plan: { converter } });
});
afterAll(async () => {
  await app.stop();
  await upstream.stop();
});

describe('memory for responses that are held until they are converted', () => {
  test('conversions beyond 256 MiB return 503, and every outcome releases its memory', async () => {
    const responses: ServerResponse[] = [];
    upstream.on('POST', ROUTE, (_request, response) => {
      responses.push(response);
      response.writeHead(200, JSON_TYPE).write(PIECE);
    });
    const calls = new Set(Array.from({ length: 6 }, () => begin(app.port)));
    const received: IncomingMessage[] = [];
    for (const call of calls) {
      call.once('response', (response) => {
        calls.delete(call);
        received.push(response.resume());
      });
    }
    const isHeld = (count: number) => until(() => app.conversions.bytesHeld === count * 59 * MB);
    await until(() => received.length === 2);
    await isHeld(4);
    expect(received.map(({ statusCode, headers }) => [statusCode, headers['retry-after']])).toEqual([
      [503, '1'],
      [503, '1'],
    ]);
    [...calls][0]!.destroy();
    await isHeld(3);
    await until(() => responses.filter(({ destroyed }) => !destroyed).length === 3);
    const [breaking, wrong, right] = responses.filter(({ destroyed }) => !destroyed);
    breaking!.destroy();
    await isHeld(2);
    wrong!.end('refuse me');
    await isHeld(1);
    right!.end();
    await until(() => received.length === 5);
    expect(received.map(({ statusCode }) => statusCode)).toEqual([503, 503, 502, 502, 200]);
    await isHeld(0);
  });

  test('the memory of a converted response stays reserved until its slow client disconnects', async () => {
    upstream.on('POST', ROUTE, (_request, response) => void response.writeHead(200, JSON_TYPE).end(PIECE));
    const call = begin(app.port);
    (await headOf(call)).pause();
    expect(app.conversions.bytesHeld).toBe(59 * MB);
    call.destroy();
    await until(() => app.conversions.bytesHeld === 0);
  });

  test('a failed conversion releases all its memory immediately', () => {
    const memory = new ConversionMemory();
    const shares = Array.from({ length: 6 }, () =>
      memory.shareOf(new ServerResponse(new IncomingMessage(new Socket()))),
    );
    const failures = shares.map((share) => share.grow(60 * MB));
    expect(failures.map((failure) => failure?.status ?? null)).toEqual([null, null, null, null, 503, 503]);
    expect(shares[0]!.grow(65 * MB)?.status).toBe(502);
    expect([memory.bytesHeld, shares[1]!.grow(61 * MB)]).toEqual([3 * 59 * MB, null]);
  });
});
