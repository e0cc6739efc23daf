import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { readBody } from '../../../src/proxy/pipeline/body/read-body.js';
import { fakeOnly } from '../../support/fake-timers.js';

const IDLE_MS = 1_000;
const PACE = { idleMs: IDLE_MS, bytesPerSecondMin: 0, totalMs: Infinity };

beforeEach(() => void fakeOnly('setTimeout', 'clearTimeout', 'performance'));
afterEach(() => void jest.useRealTimers());

/** Reads a body, and waits for `take` before it keeps a chunk in memory. */
function reading(take: (bytes: number) => Promise<void> | undefined) {
  const req = new IncomingMessage(new Socket());
  const body = readBody(req, { bytesMax: 100, pace: PACE, memory: { take }, onOver: () => undefined });
  const arrived = () => new Promise((resolve) => setImmediate(resolve));
  return { req, body, arrived };
}

describe('idle timeout of a request body', () => {
  test('a client that sends nothing for the idle timeout gets request_timeout', async () => {
    const { req, body, arrived } = reading(() => undefined);
    const refused = expect(body).rejects.toMatchObject({ code: 'request_timeout' });
    req.push('{');
    await arrived();
    jest.advanceTimersByTime(IDLE_MS);
    await refused;
  });

  test('the idle timeout is suspended while the gateway waits for memory', async () => {
    let grant!: () => void;
    const granted = new Promise<void>((resolve) => (grant = resolve));
    const { req, body, arrived } = reading((bytes) => (bytes === 1 ? granted : undefined));
    req.push('{');
    await arrived();
    jest.advanceTimersByTime(20 * IDLE_MS);
    grant();
    await arrived();
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(IDLE_MS - 1);
    req.push('"a":1}');
    req.push(null);
    expect(String(await body)).toBe('{"a":1}');
    expect(jest.getTimerCount()).toBe(0);
  });

  test('a client that disconnects while the gateway waits for memory leaves no timer', async () => {
    let grant!: () => void;
    const granted = new Promise<void>((resolve) => (grant = resolve));
    const { req, body, arrived } = reading(() => granted);
    const refused = expect(body).rejects.toMatchObject({ code: 'bad_request' });
    req.push('{');
    await arrived();
    req.destroy();
    await refused;
    grant();
    await arrived();
    expect(jest.getTimerCount()).toBe(0);
  });
});
