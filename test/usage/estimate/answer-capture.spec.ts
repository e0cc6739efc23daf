import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { AnswerCapture, CAPTURE_BYTES_MAX, CaptureRoom } from '../../../src/proxy/usage/estimate/answer-capture.js';
import { heldBytes } from '../../support/held-bytes.js';

const OWN_BYTES = 16 * 1024;

describe('what is kept of an answer', () => {
  test('is its beginning, up to the bound, whatever pieces it came in; all of it is counted', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 70_000 }), { maxLength: 30 }),
        fc.integer({ min: 0, max: 400_000 }),
        (sizes, roomBytes) => {
          const capture = new AnswerCapture(new CaptureRoom(roomBytes));
          const pieces = sizes.map((size, i) => Buffer.alloc(size, i + 1));
          const whole = Buffer.concat(pieces);
          for (const piece of pieces) {
            capture.push(piece);
            // Wiped: a capture that keeps slices is found out.
            piece.fill(0);
          }
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

  test('of 2,000 streams stays under 200 MB, with something of each', () => {
    const room = new CaptureRoom();
    const chunk = Buffer.alloc(8 * 1024, 'x');
    const before = heldBytes();
    const captures = Array.from({ length: 2000 }, () => new AnswerCapture(room));
    for (let i = 0; i < 40; i++) for (const capture of captures) capture.push(chunk);
    expect(heldBytes() - before).toBeLessThan(200 * 1024 * 1024);
    expect(Math.min(...captures.map(({ bytes }) => bytes.length))).toBeGreaterThanOrEqual(OWN_BYTES);
    for (const capture of captures) capture.release();
    const next = new AnswerCapture(room);
    for (let i = 0; i < 40; i++) next.push(chunk);
    expect(next.bytes.length).toBe(CAPTURE_BYTES_MAX);
  });
});
