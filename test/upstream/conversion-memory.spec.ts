import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ConversionMemory } from '../../src/fairness/response-memory.js';
import type { ResponseConverter } from '../../src/proxy/forward-plan.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';
import { begin, headOf, startForwarding, type ForwardingApp } from './forwarding-app.js';
import { until } from '../support/until.js';

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
    throw new Error('no stream was asked for');
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

describe('whole answers that are held to be converted, all together', () => {
  test('beyond 256 MB some fail with 503, and all that was taken comes back whatever the end', async () => {
    const answering: ServerResponse[] = [];
    upstream.on('POST', ROUTE, (_request, response) => {
      answering.push(response);
      response.writeHead(200, JSON_TYPE).write(PIECE);
    });
    const calls = new Set(Array.from({ length: 6 }, () => begin(app.port)));
    const refused: IncomingMessage[] = [];
    for (const call of calls) {
      call.once('response', (answer) => {
        calls.delete(call);
        refused.push(answer.resume());
      });
    }
    const isHeld = (count: number) => until(() => app.conversionBytesHeld === count * 59 * MB);
    await until(() => refused.length === 2);
    await isHeld(4);
    expect(refused.map(({ statusCode, headers }) => [statusCode, headers['retry-after']])).toEqual([
      [503, '1'],
      [503, '1'],
    ]);
    [...calls][0]!.destroy();
    await isHeld(3);
    await until(() => answering.filter(({ destroyed }) => !destroyed).length === 3);
    const [breaking, wrong, right] = answering.filter(({ destroyed }) => !destroyed);
    breaking!.destroy();
    await isHeld(2);
    wrong!.end('refuse me');
    await isHeld(1);
    right!.end();
    await until(() => refused.length === 5);
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([503, 503, 502, 502, 200]);
    await isHeld(0);
  });

  test('one that a client reads slowly counts until it has been taken', async () => {
    upstream.on('POST', ROUTE, (_request, response) => void response.writeHead(200, JSON_TYPE).end(PIECE));
    const call = begin(app.port);
    (await headOf(call)).pause();
    expect(app.conversionBytesHeld).toBe(59 * MB);
    call.destroy();
    await until(() => app.conversionBytesHeld === 0);
  });

  test('one that fails gives back all at once, so that no other fails for want of it', () => {
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
