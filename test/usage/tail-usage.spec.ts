import { describe, expect, test } from 'vitest';
import { TailUsage } from '../../src/proxy/usage/tail-usage.js';
import type { UsageReader } from '../../src/proxy/usage/usage-reader.js';
import { NO_USAGE } from '../../src/request-context/token-usage.js';

const TAIL_BYTES = 256 * 1024;

/** What the reader is given at the end of `body`, pushed in pieces of these sizes, round and round. */
function tailOf(body: Buffer, sizes: readonly number[]): Buffer {
  let given = Buffer.alloc(0);
  const tail = new TailUsage({ buffered: (bytes) => ((given = Buffer.from(bytes)), NO_USAGE) } as UsageReader);
  for (let at = 0, nth = 0; at < body.length; nth++) {
    const size = sizes[nth % sizes.length]!;
    tail.push(body.subarray(at, at + size));
    at += size;
  }
  tail.end(true);
  return given;
}

const bytes = (length: number) =>
  Buffer.from(Uint32Array.from({ length: Math.ceil(length / 4) }, (_, at) => at).buffer);

describe('of an answer too long to be held', () => {
  test.each([0, 1, 1000, TAIL_BYTES - 1, TAIL_BYTES, TAIL_BYTES + 1, 3 * TAIL_BYTES, 5 * TAIL_BYTES + 77])(
    'with %i bytes the last 256 KiB are read, whatever its pieces',
    (length) => {
      const body = bytes(length).subarray(0, length);
      for (const sizes of [[1_000], [65_536], [TAIL_BYTES], [TAIL_BYTES + 9], [2 * TAIL_BYTES], [7, 70_000, 300_001]]) {
        expect(tailOf(body, sizes).equals(body.subarray(-TAIL_BYTES))).toBe(true);
      }
    },
  );

  test('that was cut nothing is read', () => {
    const tail = new TailUsage({ buffered: () => ({ ...NO_USAGE, inputTokens: 1 }) } as unknown as UsageReader);
    tail.push(Buffer.from('{}'));
    expect(tail.end(false)).toBe(NO_USAGE);
  });
});
