import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { closeWithConnection } from '../../src/pipeline/pipelined-answer.js';
import { until } from '../database/until.js';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

interface Arrived {
  readonly res: ServerResponse;
  readonly socket: Socket;
  closed: number;
}

/** As in Node 22: without a connection of its own its end is told nobody. */
class OlderResponse extends ServerResponse {
  override destroy(): this {
    this.destroyed = true;
    return this;
  }
}

/** Requests sent at once over one connection, none of them answered yet. */
async function pipelined(count: number) {
  const arrived: Arrived[] = [];
  const server = createServer((req, res) => {
    const one: Arrived = { res, socket: req.socket, closed: 0 };
    arrived.push(one);
    if (res.socket === null) closeWithConnection(res, req.socket);
    res.on('close', () => one.closed++);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').resume();
  client.write(GET.repeat(count));
  await until(() => arrived.length === count, 5_000);
  return { arrived, client, close: () => server.close() };
}

describe('an answer that waits behind others of its connection', () => {
  test('is closed once when the connection ends, as all of them are', async () => {
    const { arrived, client, close } = await pipelined(20);
    client.destroy();
    await until(() => arrived.every(({ closed }) => closed > 0), 5_000);
    expect(arrived.map(({ closed }) => closed)).toEqual(Array.from({ length: 20 }, () => 1));
    close();
  });

  test('leaves nothing on the connection once it has been sent', async () => {
    const { arrived, client, close } = await pipelined(20);
    const { socket } = arrived[0]!;
    const before = socket.listenerCount('close');
    for (const { res } of arrived) res.end();
    await until(() => arrived.every(({ closed }) => closed > 0), 5_000);
    expect(before - socket.listenerCount('close')).toBeGreaterThanOrEqual(19);
    expect(arrived.map(({ closed }) => closed)).toEqual(Array.from({ length: 20 }, () => 1));
    client.destroy();
    close();
  });

  test('is closed even where Node forgets it', async () => {
    const { arrived, client, close } = await pipelined(1);
    const { socket } = arrived[0]!;
    const forgotten = new OlderResponse(new IncomingMessage(socket));
    let closed = 0;
    forgotten.on('close', () => closed++);
    closeWithConnection(forgotten, socket);
    client.destroy();
    await until(() => closed > 0, 5_000);
    expect(closed).toBe(1);
    expect(forgotten.destroyed).toBe(true);
    close();
  });
});
