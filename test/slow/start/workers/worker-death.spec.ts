import cluster from 'node:cluster';
import { EventEmitter } from 'node:events';
import { afterEach, expect, jest, test } from '@jest/globals';
import { Config } from '../../../../src/platform/config/config.js';
import { Workers } from '../../../../src/start/workers/workers.js';
import { untilPasses } from '../../../support/poll.js';

class FakeWorker extends EventEmitter {
  readonly process = { pid: 1, kill: () => true };
  send(): void {}
}

afterEach(() => void jest.restoreAllMocks());

test('a worker whose channel breaks before it exits is replaced', async () => {
  const forked: FakeWorker[] = [];
  jest.spyOn(cluster, 'fork').mockImplementation((() => {
    forked.push(new FakeWorker());
    return forked.at(-1);
  }) as unknown as typeof cluster.fork);
  const config = Config.from({ GW_WORKERS: '1' });
  const warn = jest.fn();
  const workers = new Workers(config, { warn, log: jest.fn(), error: jest.fn() });
  forked[0]!.emit('message', { url: 'http://here' });
  await workers.whenListening();
  // Node emits this error for a connection that is passed to a dead process.
  forked[0]!.emit('error', new Error('write EPIPE'));
  forked[0]!.emit('exit', null, 'SIGKILL');
  await untilPasses(() => expect(forked).toHaveLength(2));
  expect(warn.mock.calls[0]![0]).toMatch(/^A worker exited \(SIGKILL\)/);
  expect(workers.restarts).toBe(1);
  const stopped = workers.stop();
  forked[1]!.emit('exit', 0, null);
  await stopped;
});
