import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { discardUnreadBody } from '../../../src/platform/patches/node-unread-body.js';
import { until } from '../../support/until.js';

const BYTES_MAX = 200_000;
const closers: (() => unknown)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

/** Uploads without end to a server that responds early. Returns the request after the server has read `untilBytes` or closed. */
async function upload(untilBytes: number, beforeResponse: RequestListener): Promise<IncomingMessage> {
  let upload: IncomingMessage | undefined;
  const server: Server = createServer((req, res) => {
    upload = req;
    beforeResponse(req, res);
    res.end('too early');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  closers.push(
    () => client.destroy(),
    () => server.closeAllConnections(),
    () => server.close(),
  );
  client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000000\r\n\r\n');
  const send = () => void (client.destroyed || client.write(Buffer.alloc(65_536), send));
  send();
  await until(() => upload !== undefined && (upload.socket.destroyed || upload.socket.bytesRead > untilBytes));
  return upload!;
}

describe('discardUnreadBody', () => {
  test('closes the connection of an upload that continues beyond the limit after the response', async () => {
    const req = await upload(Infinity, (early, res) => discardUnreadBody(early, res, BYTES_MAX));
    expect(req.socket.bytesRead).toBeLessThan(20 * BYTES_MAX);
  });

  test('is still needed: Node reads the rest of an upload without a limit', async () => {
    const req = await upload(100 * BYTES_MAX, () => undefined);
    expect(req.socket.destroyed).toBe(false);
  });
});
