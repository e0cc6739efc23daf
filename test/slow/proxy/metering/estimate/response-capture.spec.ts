import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CaptureMemory } from '../../../../../src/proxy/response-memory.js';
import { ResponseCapture } from '../../../../../src/proxy/metering/estimate/response-capture.js';
import { heldBytes } from '../../../../support/held-bytes.js';

const CAPTURE_BYTES_MAX = 256 * 1024;
const OWN_BYTES = 16 * 1024;

describe('ResponseCapture', () => {
  test('keeps the beginning of a JSON response up to the limit, and counts all of its bytes', () => {
    const [pieces, pieceBytes] = [30, 70_000];
    // Allocated once, because each megabyte of new buffers makes V8 collect garbage.
    const response = Buffer.concat([Buffer.from('{'), randomBytes(pieces * pieceBytes)]);
    const piece = Buffer.alloc(pieceBytes);
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: pieceBytes }), { maxLength: pieces }),
        fc.integer({ min: 0, max: 400_000 }),
        (sizes, roomBytes) => {
          const capture = new ResponseCapture(new CaptureMemory(roomBytes));
          let length = 0;
          for (const size of [1, ...sizes]) {
            response.copy(piece, 0, length, (length += size));
            capture.push(piece.subarray(0, size));
            // Overwritten, so that a capture that keeps slices fails the test.
            piece.fill(0, 0, size);
          }
          const whole = response.subarray(0, length);
          const { bytes, totalBytes } = capture;
          expect(totalBytes).toBe(whole.length);
          expect(bytes.equals(whole.subarray(0, bytes.length))).toBe(true);
          expect(bytes.length).toBeLessThanOrEqual(CAPTURE_BYTES_MAX);
          expect(bytes.length).toBeGreaterThanOrEqual(Math.min(whole.length, OWN_BYTES));
          if (roomBytes >= CAPTURE_BYTES_MAX) expect(bytes.length).toBe(Math.min(whole.length, CAPTURE_BYTES_MAX));
        },
      ),
    );
  });

  test('keeps a sample of a long event stream in which each part is equally likely', () => {
    const parts = 64;
    const seen = new Array<number>(parts).fill(0);
    const sent = Array.from({ length: parts }, (_, at) => Buffer.alloc(OWN_BYTES, at + 64));
    const whole = Buffer.concat(sent);
    for (let i = 0; i < 200; i++) {
      const capture = new ResponseCapture(new CaptureMemory());
      for (let at = 0; at < whole.length; at += 10_000) capture.push(whole.subarray(at, at + 10_000));
      expect([capture.bytes.length, capture.totalBytes]).toEqual([CAPTURE_BYTES_MAX, whole.length]);
      for (let at = 0; at < CAPTURE_BYTES_MAX; at += OWN_BYTES) {
        const part = capture.bytes.subarray(at, at + OWN_BYTES);
        if (!part.equals(sent[part[0]! - 64]!)) throw new Error(`the bytes from ${at} are not one part of the stream`);
        seen[part[0]! - 64]! += 1;
      }
    }
    // 16 of 64 parts are kept, so each is expected 50 times in 200 runs. 37 is six standard deviations.
    for (const times of seen) expect(Math.abs(times - 50)).toBeLessThan(37);
  });

  test('samples a stream even if the shared memory is exhausted', () => {
    const first = Array.from({ length: 50 }, () => {
      const capture = new ResponseCapture(new CaptureMemory(0));
      for (const of of 'abcd') capture.push(Buffer.alloc(OWN_BYTES, of));
      return capture.bytes.toString('latin1', 0, 1);
    });
    expect(new Set(first)).toEqual(new Set('abcd'));
  });

  test('2,000 captures take less than 200 MiB, with at least 16 KiB of each stream', () => {
    const room = new CaptureMemory();
    const chunk = Buffer.alloc(8 * 1024, 'x');
    const before = heldBytes();
    const captures = Array.from({ length: 2000 }, () => new ResponseCapture(room));
    for (let i = 0; i < 40; i++) for (const capture of captures) capture.push(chunk);
    expect(heldBytes() - before).toBeLessThan(200 * 1024 * 1024);
    expect(Math.min(...captures.map(({ bytes }) => bytes.length))).toBeGreaterThanOrEqual(OWN_BYTES);
    for (const capture of captures) capture.release();
    const next = new ResponseCapture(room);
    for (let i = 0; i < 40; i++) next.push(chunk);
    expect(next.bytes.length).toBe(CAPTURE_BYTES_MAX);
  });

  test('a capture starts with 2 KiB of memory and doubles it', () => {
    const capture = new ResponseCapture(new CaptureMemory(0));
    const taken = [1, 1, 2046, 1].map((length) => {
      capture.push(Buffer.alloc(length));
      return capture.bytes.buffer.byteLength;
    });
    expect(taken).toEqual([2048, 2048, 2048, 4096]);
  });

  test('keeps 16 KiB if the shared memory is exhausted', () => {
    const capture = new ResponseCapture(new CaptureMemory(0));
    capture.push(Buffer.alloc(20_000));
    expect([capture.bytes.length, capture.totalBytes]).toEqual([OWN_BYTES, 20_000]);
  });

  test('keeps what it has when the shared memory runs out', () => {
    const capture = new ResponseCapture(new CaptureMemory(OWN_BYTES));
    for (const of of '{bcde') capture.push(Buffer.alloc(OWN_BYTES, of));
    expect(capture.bytes.equals(Buffer.concat([Buffer.alloc(OWN_BYTES, '{'), Buffer.alloc(OWN_BYTES, 'b')]))).toBe(
      true,
    );
  });

  test('keeps no more bytes after release, but still counts them', () => {
    const capture = new ResponseCapture(new CaptureMemory());
    capture.push(Buffer.alloc(10, 'a'));
    capture.release();
    capture.push(Buffer.alloc(10, 'b'));
    expect([capture.bytes.toString(), capture.totalBytes]).toEqual(['a'.repeat(10), 20]);
  });
});

describe('CaptureMemory', () => {
  test('captures share 128 MiB', () => {
    const room = new CaptureMemory();
    expect([room.take(128 * 1024 * 1024), room.take(1)]).toEqual([true, false]);
  });

  test.each([0, 1, OWN_BYTES, OWN_BYTES + 1, 3 * OWN_BYTES, 30 * OWN_BYTES])(
    'lends a response of %i bytes the memory beyond its own 16 KiB, and gets it back',
    (length) => {
      const room = new CaptureMemory(4 * OWN_BYTES);
      const capture = new ResponseCapture(room);
      for (let at = 0; at < length; at += 1000) capture.push(Buffer.alloc(Math.min(1000, length - at)));
      const left = 4 * OWN_BYTES - Math.max(0, capture.bytes.buffer.byteLength - OWN_BYTES);
      expect([room.take(left + 1), room.take(left)]).toEqual([false, true]);
      room.release(left);
      capture.release();
      expect([room.take(4 * OWN_BYTES + 1), room.take(4 * OWN_BYTES)]).toEqual([false, true]);
    },
  );
});
