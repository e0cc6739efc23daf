import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { readBody } from '../../src/pipeline/body/read-body.js';
import { fakeOnly } from '../support/fake-timers.js';

const IDLE_MS = 1_000;

beforeEach(() => void fakeOnly('setTimeout', 'clearTimeout'));
afterEach(() => void jest.useRealTimers());

/** A body that is read with no more memory than `memory` hands out. */
function reading(take: (bytes: number) => Promise<void> | undefined) {
  const req = new IncomingMessage(new Socket());
  const body = readBody(req, { bytesMax: 100, idleTimeoutMs: IDLE_MS, memory: { take }, onOver: () => undefined });
  const arrived = () => new Promise((resolve) => setImmediate(resolve));
  return { req, body, arrived };
}

describe('the time between two pieces of a body', () => {
  test('is the client’s: past its limit the answer is 408', async () => {
    const { req, body, arrived } = reading(() => undefined);
    const refused = expect(body).rejects.toMatchObject({ code: 'request_timeout' });
    req.push('{');
    await arrived();
    jest.advanceTimersByTime(IDLE_MS);
    await refused;
  });

  test('does not pass while the gateway waits for memory, and begins anew after it', async () => {
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

  test('is over with a client that went away while memory was waited for', async () => {
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
