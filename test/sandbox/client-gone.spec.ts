import { afterEach, describe, expect, test } from 'vitest';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

import { sendEvents } from '../../sandbox/src/wire/event-stream.js';

let server: http.Server;

afterEach(() => {
  server.close();
  server.closeAllConnections();
});

/** Serves `frame` without end; resolves with the number of frames taken once the iterator has been returned. */
async function streamUntilStopped(frame: string, onPiece: (req: http.ClientRequest) => void): Promise<number> {
  const stopped = new Promise<number>((resolve) => {
    server = http.createServer((_req, res) => {
      let taken = 0;
      const frames = function* (): Generator<string> {
        try {
          for (;;) {
            taken += 1;
            yield frame;
          }
        } finally {
          resolve(taken);
        }
      };

      res.writeHead(200);
      void sendEvents(res, frames());
    });
  });

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const req = http.get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });

  req.on('error', () => undefined);
  req.on('response', (res) => {
    res.on('error', () => undefined);
    res.once('readable', () => onPiece(req));
  });
  return stopped;
}

describe('a client that goes away', () => {
  test('stops the stream', async () => {
    await expect(streamUntilStopped('data: 1\n\n', (req) => req.destroy())).resolves.toBeGreaterThan(0);
  });

  test('stops the stream that waits for it to read', async () => {
    const megabytes = 'x'.repeat(32 * 1024 * 1024);
    const taken = await streamUntilStopped(megabytes, (req) => setImmediate(() => req.destroy()));

    // The one that waits, and the one that was next.
    expect(taken).toBeLessThanOrEqual(2);
  });
});
