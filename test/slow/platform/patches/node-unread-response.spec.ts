import { createServer, get, Agent, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { limitUnreadTime } from '../../../../src/platform/patches/node-unread-response.js';
import { startGateway } from '../../../support/ready-gateway.js';

const UNREAD_MS = 3_000;
/** Longer than the socket buffers of a connection that is not read. */
const LONG = Buffer.alloc(32 * 1024 * 1024, 'x');

let server: Server;
let port: number;
beforeEach(async () => {
  server = createServer((req, res) => {
    if (req.url === '/late') return void setTimeout(() => res.end('late'), 3 * UNREAD_MS);
    limitUnreadTime(res, UNREAD_MS);
    res.end(req.url === '/long' ? LONG : 'short');
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function request(path: string): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return socket;
}

describe('limitUnreadTime', () => {
  test('closes the connection of a client that does not read the response', async () => {
    const ended = new Promise((resolve) => server.once('connection', (socket) => socket.once('close', resolve)));
    const client = request('/long').pause();
    await ended;
    client.destroy();
  });

  test('a slow client gets the whole response even if that takes longer than the limit', async () => {
    const client = request('/long');
    let bytes = 0;
    const over = new Promise<void>((resolve) => {
      client.on('data', (piece) => {
        bytes += piece.length;
        if (bytes >= LONG.length) return resolve();
        client.pause();
        setTimeout(() => client.resume(), 8);
      });
      client.once('close', () => resolve());
    });
    const beganMs = performance.now();
    await over;
    expect(bytes).toBeGreaterThanOrEqual(LONG.length);
    expect(performance.now() - beganMs).toBeGreaterThan(UNREAD_MS);
    client.destroy();
  });

  test('the limit does not apply to later requests on the connection, even pipelined ones', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const text = (path: string) =>
      new Promise<string>((resolve, reject) => {
        const onResponse = async (response: AsyncIterable<Buffer>) => {
          let body = '';
          for await (const piece of response) body += piece.toString();
          resolve(body);
        };
        get({ port, path, agent }, (response) => void onResponse(response)).on('error', reject);
      });
    expect([await text('/short'), await text('/late')]).toEqual(['short', 'late']);
    agent.destroy();
    const client = request('/short');
    client.write('GET /late HTTP/1.1\r\nHost: x\r\n\r\n');
    let seen = '';
    for await (const piece of client) {
      seen += (piece as Buffer).toString();
      if (seen.endsWith('late')) break;
    }
    expect(seen).toContain('late');
  });
});

test.each([
  ['GET', '/openapi.json'],
  ['GET', '/v1/nothing'],
  ['GET', '/health'],
  ['OPTIONS', '/v1/models'],
])('the gateway limits the unread time of %s %s to 120 s', async (method, path) => {
  const gateway = await startGateway();
  const limits: number[] = [];
  const watched = new Promise<void>((resolve) => {
    gateway.app.getHttpServer().once('connection', (socket: Socket) => {
      const set = socket.setTimeout.bind(socket);
      socket.setTimeout = (ms: number) => {
        limits.push(ms);
        return set(ms);
      };
      resolve();
    });
  });
  const client = connect(gateway.port, '127.0.0.1');
  await watched;
  client.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nAccess-Control-Request-Method: POST\r\n\r\n`);
  await new Promise((resolve) => client.once('data', resolve));
  expect(limits[0]).toBe(120_000);
  client.destroy();
  await gateway.stop();
});

test('is still needed: no timeout of http.Server covers a response that is not read', () => {
  const timeouts = Object.keys(createServer()).filter((name) => /timeout$/i.test(name));
  expect(timeouts.sort()).toEqual(['headersTimeout', 'keepAliveTimeout', 'requestTimeout', 'timeout']);
});
