import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from '@jest/globals';
import { joinSmallChunks } from '../../../src/platform/patches/node-small-chunks.js';
import { until } from '../../support/until.js';
import { Wire } from '../../support/wire.js';

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
  return listen(server);
}

async function listen(server: Server): Promise<number> {
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

describe('joinSmallChunks', () => {
  test('the request body is the same regardless of how it is chunked, even on a reused connection', async () => {
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
        expect((await wire.response()).text).toBe(pieces.join(''));
      }),
      { numRuns: 150 },
    );
  });

  test('joins chunks of one byte before the reader gets them', async () => {
    const sizes: number[] = [];
    const port = await serve((req, res) => {
      req.on('data', (chunk: Buffer) => sizes.push(chunk.length)).on('end', () => res.end());
    });
    const wire = await open(port);
    wire.write(HEAD + crumbs(20_000) + END);
    await wire.response();
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(20_000);
    // The last chunk of each read from the socket is shorter.
    expect(sizes.length).toBeLessThan(200);
  });

  test('delivers a small chunk even if nothing follows it', async () => {
    const seen: string[] = [];
    const port = await serve((req) => void req.on('data', (chunk: Buffer) => seen.push(chunk.toString())));
    const wire = await open(port);
    wire.write(HEAD + inChunks(['first']));
    await until(() => seen.length === 1);
    wire.write(inChunks(['second']));
    await until(() => seen.length === 2);
    expect(seen).toEqual(['first', 'second']);
  });

  test('pauses a request that is not read, while another request is read to its end', async () => {
    let unread: IncomingMessage | undefined;
    const port = await serve((req, res) => {
      if (unread === undefined) unread = req;
      else req.resume().on('end', () => res.end());
    });
    const size = 100;
    const body = HEAD + inChunks(['b'.repeat(size)]).repeat(60_000) + END;
    const wire = await open(port);
    wire.write(body);
    await until(() => (unread?.readableLength ?? 0) >= 64 * 1024);
    const other = await open(port);
    other.write(body);
    await other.response();
    // Node's buffer limit and the read that exceeded it.
    expect(unread!.readableLength).toBeLessThan(3 * 64 * 1024);
    let bytes = 0;
    unread!.on('data', (chunk: Buffer) => (bytes += chunk.length));
    await until(() => bytes === 60_000 * size);
  });
});

test('serves other requests while connections send endless chunks of one byte', async () => {
  let bytesRead = 0;
  const port = await serve((req, res) => {
    if (req.method === 'GET') return void res.end('ok');
    req.on('data', (chunk: Buffer) => (bytesRead += chunk.length));
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
  await until(() => bytesRead > 100_000);
  const other = await open(port);
  const before = bytesRead;
  for (let times = 0; times < 200; times++) {
    other.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect((await other.response()).text).toBe('ok');
  }
  // If each of the four connections were read between two requests, it would be 40,000 bytes per request.
  expect(bytesRead - before).toBeLessThan(200 * 5_000);
});

test('is still needed: Node passes each chunk of a read to the reader separately', async () => {
  const sizes: number[] = [];
  const server = createServer((req, res) => {
    req.on('data', (chunk: Buffer) => sizes.push(chunk.length)).on('end', () => res.end());
  });
  const port = await listen(server);
  const wire = await open(port);
  wire.write(HEAD + crumbs(100) + END);
  await wire.response();
  expect(sizes).toEqual(Array(100).fill(1));
});
