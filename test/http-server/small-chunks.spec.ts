import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from '@jest/globals';
import { joinSmallChunks } from '../../src/http-server/small-chunks.js';
import { until } from '../support/until.js';
import { Wire } from '../support/wire.js';

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
const END = '0\r\n\r\n';
const inChunks = (pieces: readonly string[]) =>
  pieces.map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join('');
const crumbs = (count: number) => '1\r\na\r\n'.repeat(count);

const opened: (() => unknown)[] = [];
afterEach(() => opened.splice(0).forEach((close) => close()));

async function serve(onRequest: RequestListener): Promise<number> {
  const server = createServer(onRequest);
  joinSmallChunks(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  return (server.address() as AddressInfo).port;
}

async function open(port: number): Promise<Wire> {
  const wire = await Wire.open(port);
  opened.push(() => wire.close());
  return wire;
}

const read = async (req: IncomingMessage): Promise<Buffer[]> => (await req.toArray()) as Buffer[];

describe('chunks of a body', () => {
  test('give the same bytes in the same order, however they are cut, on one connection after another request', async () => {
    const port = await serve((req, res) => void read(req).then((pieces) => res.end(Buffer.concat(pieces))));
    const wire = await open(port);
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 3 }),
      fc.string({ unit: 'grapheme-ascii', minLength: 120, maxLength: 140 }),
      fc.constant('long'.repeat(5_000)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), fc.boolean(), async (pieces, inSeveralWrites) => {
        if (inSeveralWrites) {
          wire.write(HEAD);
          for (const one of pieces) {
            wire.write(inChunks([one]));
            await nextTurn();
          }
          wire.write(END);
        } else {
          wire.write(HEAD + inChunks(pieces) + END);
        }
        expect((await wire.answer()).text).toBe(pieces.join(''));
      }),
      { numRuns: 150 },
    );
  });

  test('of a byte come to the reader by the thousand', async () => {
    const sizes: number[] = [];
    const port = await serve((req, res) => {
      req.on('data', (chunk: Buffer) => sizes.push(chunk.length)).on('end', () => res.end());
    });
    const wire = await open(port);
    wire.write(HEAD + crumbs(20_000) + END);
    await wire.answer();
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(20_000);
    // The ends of four or five reads are shorter.
    expect(sizes.length).toBeLessThan(200);
  });

  test('one that is small reaches the reader though nothing follows it', async () => {
    const seen: string[] = [];
    const port = await serve((req) => void req.on('data', (chunk: Buffer) => seen.push(chunk.toString())));
    const wire = await open(port);
    wire.write(HEAD + inChunks(['first']));
    await until(() => seen.length === 1, 5_000);
    wire.write(inChunks(['second']));
    await until(() => seen.length === 2, 5_000);
    expect(seen).toEqual(['first', 'second']);
  });

  test('of a request that nobody reads are not taken, while another that sends as many is read to its end', async () => {
    let unread: IncomingMessage | undefined;
    const port = await serve((req, res) => {
      if (unread === undefined) unread = req;
      else req.resume().on('end', () => res.end());
    });
    const size = 100;
    const body = HEAD + inChunks(['b'.repeat(size)]).repeat(60_000) + END;
    const wire = await open(port);
    wire.write(body);
    await until(() => (unread?.readableLength ?? 0) >= 64 * 1024, 20_000);
    const other = await open(port);
    other.write(body);
    await other.answer();
    // What Node lets wait, and the read that passed it.
    expect(unread!.readableLength).toBeLessThan(3 * 64 * 1024);
    let bytes = 0;
    unread!.on('data', (chunk: Buffer) => (bytes += chunk.length));
    await until(() => bytes === 60_000 * size, 20_000);
  });
});

test('connections that send chunks of a byte without an end leave the process to others', async () => {
  let taken = 0;
  const port = await serve((req, res) => {
    if (req.method === 'GET') return void res.end('ok');
    req.on('data', (chunk: Buffer) => (taken += chunk.length));
  });
  const flood = crumbs(10_000);
  let over = false;
  opened.push(() => (over = true));
  for (let at = 0; at < 4; at++) {
    const wire = await open(port);
    wire.write(HEAD);
    void (async () => {
      while (!over) {
        wire.write(flood);
        await wire.drained();
      }
    })();
  }
  await until(() => taken > 100_000, 20_000);
  const other = await open(port);
  const before = taken;
  for (let times = 0; times < 200; times++) {
    other.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect((await other.answer()).text).toBe('ok');
  }
  // A read of each of the four between two requests would be 40,000 for each.
  expect(taken - before).toBeLessThan(200 * 5_000);
});
