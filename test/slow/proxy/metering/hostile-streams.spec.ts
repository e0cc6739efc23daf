import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NO_USAGE } from '../../../../src/platform/request-context/token-usage.js';
import { heldBytes } from '../../../support/held-bytes.js';
import { buffered, streamed } from '../../../support/metered.js';

const TYPES = ['text/event-stream', 'application/x-ndjson; charset=utf-8', ''] as const;
const REPORT = Buffer.from('data: {"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n');
const HELD_BYTES_MAX = 1024 * 1024;
const REPORTED = { inputTokens: 1, outputTokens: 2, provenance: 'reported' };

/** Bytes that usually look like part of a stream. */
const morsel = fc.oneof(
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom(
      'data:',
      'data: ',
      '\n',
      '\r',
      '\r\n',
      '\n\n',
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      '\\"',
      ':',
      ',',
      ' ',
      '"usage"',
      '"usage":',
      '"usage":null',
      '"usageMetadata":{',
      '"prompt_tokens":',
      '"completion_tokens":',
      '12',
      '-',
      '1e9',
      '[DONE]',
      'event: x',
      ': c',
      '\ufeff',
      'é🎉',
    )
    .map((text) => Buffer.from(text)),
);

describe('malformed streams', () => {
  test('a malformed stream never throws and returns the same usage regardless of how it is chunked', () => {
    fc.assert(
      fc.property(
        fc.array(morsel, { maxLength: 60 }),
        fc.constantFrom(...TYPES),
        fc.boolean(),
        (morsels, type, whole) => {
          const bytes = Buffer.concat(morsels);
          const inPieces = streamed('chat', type);
          for (const piece of morsels) inPieces.push(piece);
          const atOnce = streamed('chat', type);
          atOnce.push(bytes);
          const byteByByte = streamed('chat', type);
          for (let at = 0; at < bytes.length; at++) byteByByte.push(bytes.subarray(at, at + 1));
          const usage = atOnce.end(whole);
          expect([inPieces.end(whole), byteByByte.end(whole)]).toEqual([usage, usage]);
          buffered('chat', bytes);
        },
      ),
      { numRuns: 3000 },
    );
  });

  test('a line that never ends is not held in memory', () => {
    const reader = streamed('chat', 'text/event-stream');
    const chunk = Buffer.alloc(64 * 1024, 'data: x');
    const before = heldBytes();
    for (let i = 0; i < 256; i++) reader.push(chunk);
    expect(heldBytes() - before).toBeLessThan(HELD_BYTES_MAX);
    expect(reader.end(false)).toEqual(NO_USAGE);
  });

  test('an event with endless lines is not held in memory', () => {
    const reader = streamed('chat', 'text/event-stream');
    const chunk = Buffer.from('data: {"a":[\n'.repeat(5000));
    const before = heldBytes();
    for (let i = 0; i < 100; i++) reader.push(chunk);
    expect(heldBytes() - before).toBeLessThan(HELD_BYTES_MAX);
    reader.push(Buffer.from('\n'));
    reader.push(REPORT);
    expect(reader.end(true)).toEqual(REPORTED);
  });
});

describe('long lines', () => {
  const longLine = (bytes: number): Buffer =>
    Buffer.concat([
      Buffer.from('data: {"usage":{"prompt_tokens":7,"completion_tokens":7},"a":"'),
      Buffer.alloc(bytes, 'x'),
      Buffer.from('"}\n\n'),
    ]);
  const inChunks = (bytes: Buffer): Buffer[] =>
    Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, i) => bytes.subarray(i * 65_536, (i + 1) * 65_536));

  test.each([
    ['in chunks', inChunks],
    ['in one piece', (bytes: Buffer) => [bytes]],
  ])('a 20 MB line %s is read without being held, and so is the report after it', (_how, cut) => {
    const chunks = cut(longLine(20 * 1024 * 1024));
    const reader = streamed('chat');
    const before = heldBytes();
    for (const chunk of chunks) reader.push(chunk);
    expect(heldBytes() - before).toBeLessThan(1024 * 1024);
    expect(reader.end(true)).toEqual({ inputTokens: 7, outputTokens: 7, provenance: 'reported' });
    const another = streamed('chat');
    for (const chunk of chunks) another.push(chunk);
    another.push(REPORT);
    expect(another.end(true)).toEqual(REPORTED);
  });
});
