import { execFile } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const server = createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', (head) => {
    const skipped = head.includes('/100') ? 'HTTP/1.1 100 Continue\r\n\r\n' : 'HTTP/1.1 102 Processing\r\n\r\n';
    socket.write(skipped + OK);
  });
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => void server.close());

/** Runs code in a process of its own, because subscriptions to undici's channels stay for the whole process. */
async function unpatched(code: string): Promise<unknown> {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const program = `import { Client } from 'undici'; const client = new Client('${origin}'); ${code}; await client.destroy();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  return JSON.parse(stdout);
}

const statusOf = (path: string) =>
  `const out = await client.request({ path: '${path}', method: 'GET' }).then((r) => r.statusCode, (e) => e.code); console.log(JSON.stringify(out))`;

describe('the patches of undici are still needed', () => {
  test('undici closes the connection at a 100, but not at a 102', async () => {
    expect(await unpatched(statusOf('/102'))).toBe(200);
    expect(await unpatched(statusOf('/100'))).toBe('UND_ERR_SOCKET');
  });

  test('undici reports the socket of a request on its channel, but not to the handler', async () => {
    const code = `
      const { subscribe } = await import('node:diagnostics_channel');
      const { Socket } = await import('node:net');
      const events = [];
      subscribe('undici:client:sendHeaders', ({ socket }) => events.push(socket instanceof Socket ? 'socket' : 'none'));
      await new Promise((resolve) => client.dispatch({ path: '/', method: 'GET' }, {
        onRequestStart: (controller) => events.push('start', 'socket' in controller),
        onResponseStart: () => {}, onResponseData: () => {}, onResponseEnd: resolve, onResponseError: resolve,
      }));
      console.log(JSON.stringify(events))`;
    expect(await unpatched(code)).toEqual(['start', false, 'socket']);
  });
});
