import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { serveInOrder } from '../../../src/platform/patches/node-pipelined-requests.js';
import { until } from '../../support/until.js';

/** One read of Node, which is 64 KB, can contain all of them. */
const REQUESTS = 1_000;

const closers: (() => unknown)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

async function pipeline(onRequest: RequestListener, prepare: (server: Server) => void) {
  const server = createServer(onRequest);
  prepare(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  closers.push(
    () => client.destroy(),
    () => server.closeAllConnections(),
    () => server.close(),
  );
  client.resume().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(REQUESTS));
  return client;
}

async function mostAtOnce(prepare: (server: Server) => void): Promise<number> {
  let [running, most, served] = [0, 0, 0];
  await pipeline((_req, res) => {
    running += 1;
    most = Math.max(most, running);
    setImmediate(() => {
      running -= 1;
      served += 1;
      res.end();
    });
  }, prepare);
  await until(() => served === REQUESTS);
  return most;
}

async function parsedAfterClose(prepare: (server: Server) => void): Promise<number> {
  let parsed = 0;
  const client = await pipeline(
    (req) => req.socket.destroy(),
    (server) => {
      prepare(server);
      server.prependListener('request', () => (parsed += 1));
    },
  );
  await until(() => client.destroyed);
  return parsed;
}

const unpatched = () => undefined;

describe('serveInOrder', () => {
  test('runs one request of a connection at a time', async () => {
    expect(await mostAtOnce(serveInOrder)).toBe(1);
  });

  test('parses no further request of a read that closed its connection', async () => {
    expect(await parsedAfterClose(serveInOrder)).toBe(1);
  });

  test('is still needed: Node starts all requests of a read at once', async () => {
    expect(await mostAtOnce(unpatched)).toBeGreaterThan(REQUESTS / 2);
  });

  test('is still needed: Node parses all requests of a read, even if the first closes its connection', async () => {
    expect(await parsedAfterClose(unpatched)).toBeGreaterThan(REQUESTS / 2);
  });
});
