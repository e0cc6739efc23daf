import { afterEach, describe, expect, test } from '@jest/globals';
import http from 'node:http';

import { ScriptedProvider } from '../../sandbox/src/scripted/scripted-provider.js';

let provider: ScriptedProvider;

afterEach(() => provider.stop());

/** Streams `frame` endlessly. Resolves with the number of frames taken after the iterator's `return` method ran. */
async function streamUntilStopped(frame: string, onPiece: (req: http.ClientRequest) => void): Promise<number> {
  const stopped = Promise.withResolvers<number>();
  let taken = 0;
  const frames = function* (): Generator<string> {
    try {
      for (;;) {
        taken += 1;
        yield frame;
      }
    } finally {
      stopped.resolve(taken);
    }
  };

  provider = await ScriptedProvider.start({ script: () => ({ chunks: frames(), pauseMs: 5 }) });

  const req = http.get(provider.url);

  req.on('error', () => undefined);
  req.on('response', (res) => {
    res.on('error', () => undefined);
    res.once('readable', () => onPiece(req));
  });
  return stopped.promise;
}

describe('a client that disconnects', () => {
  test('a disconnected client stops the stream', async () => {
    await expect(streamUntilStopped('data: 1\n\n', (req) => req.destroy())).resolves.toBeGreaterThan(0);
  });

  test('a disconnected client stops a stream that waits for it to read', async () => {
    const megabytes = 'x'.repeat(32 * 1024 * 1024);
    const taken = await streamUntilStopped(megabytes, (req) => setImmediate(() => req.destroy()));

    // One frame waits for the client; another one can already be prepared.
    expect(taken).toBeLessThanOrEqual(2);
  });
});
