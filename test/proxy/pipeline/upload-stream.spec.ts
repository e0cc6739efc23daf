import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { UploadStream } from '../../../src/proxy/upload-stream.js';
import { fakeOnly } from '../../support/fake-timers.js';

beforeEach(() => void fakeOnly('setTimeout', 'clearTimeout', 'performance'));
afterEach(() => void jest.useRealTimers());

const UPSTREAM_IDLE_MS = 300_000;
/** More than the stream holds in memory. */
const MUCH = Buffer.alloc(128 * 1024);

function upload() {
  const req = new IncomingMessage(new Socket());
  const stream = new UploadStream(req, {
    bytesMax: 1e9,
    pace: { idleMs: 60_000, bytesPerSecondMin: 1024, totalMs: Infinity },
    upstreamIdleMs: UPSTREAM_IDLE_MS,
  });
  const failures: string[] = [];
  stream.on('failed', ({ code }) => void failures.push(code));
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { req, stream, failures, settled };
}

test('an upload that the upstream reads too slowly is not the fault of the client', async () => {
  const { req, stream, failures, settled } = upload();
  stream.read();
  req.push(MUCH);
  await settled();
  jest.advanceTimersByTime(UPSTREAM_IDLE_MS - 1);
  expect(failures).toEqual([]);
  stream.read();
  await settled();
  jest.advanceTimersByTime(59_000);
  expect(failures).toEqual([]);
  stream.destroy();
  expect(jest.getTimerCount()).toBe(0);
});

test('an upload that drips while the upstream reads gets request_timeout', async () => {
  const { req, stream, failures, settled } = upload();
  stream.resume();
  for (let second = 0; second < 32 && failures.length === 0; second++) {
    req.push('x');
    await settled();
    jest.advanceTimersByTime(1000);
  }
  expect(failures).toEqual(['request_timeout']);
  expect(jest.getTimerCount()).toBe(0);
});
