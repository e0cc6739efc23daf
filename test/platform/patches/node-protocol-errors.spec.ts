import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Wire } from '../../support/wire.js';

let server: Server;
let port: number;
beforeEach(async () => {
  server = createServer((req, res) => res.end(req.url));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

describe('the patches of protocol errors are still needed', () => {
  test('Node responds to malformed HTTP without a body', async () => {
    const { status, text } = await Wire.once(port, 'no http\r\n\r\n');
    expect([status, text]).toEqual([400, '']);
  });

  test('Node passes the socket, but not the response of an earlier request, to clientError', async () => {
    let earlier: ServerResponse | undefined;
    server.removeAllListeners('request');
    server.on('request', (_req: IncomingMessage, res: ServerResponse) => (earlier = res));
    const reported = once(server, 'clientError') as Promise<[Error, Socket & { _httpMessage?: ServerResponse }]>;
    const wire = await Wire.open(port);
    wire.write('GET / HTTP/1.1\r\nHost: x\r\n\r\nno http\r\n\r\n');
    const [, socket, ...more] = await reported;
    expect(more).toEqual([]);
    expect(socket._httpMessage).toBe(earlier);
    wire.close();
  });

  test('Node closes the connection of a CONNECT without a response', async () => {
    const wire = await Wire.open(port);
    wire.write('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n');
    await wire.closed;
    wire.close();
  });

  test.each([
    ['100-continue', 100],
    ['anything-else', 417],
  ])('Node responds to `Expect: %s` with %i before a handler runs', async (expectation, status) => {
    const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: ${expectation}\r\n\r\n`;
    expect((await Wire.once(port, head)).status).toBe(status);
  });
});
