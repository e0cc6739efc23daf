import { describe, expect, test } from '@jest/globals';
import { LINE_BYTES_MAX } from '../../../src/proxy/metering/line-splitter.js';
import { NdjsonPayloads, SsePayloads } from '../../../src/proxy/metering/stream-payloads.js';

/** Returns the payloads in `pieces`, and how many of them were emitted only at the end of the stream. */
function read(pieces: readonly (string | Buffer)[], Source: typeof SsePayloads | typeof NdjsonPayloads = SsePayloads) {
  const payloads: string[] = [];
  const source = new Source((bytes) => void payloads.push(bytes.toString()));
  for (const piece of pieces) source.push(Buffer.from(piece));
  const beforeEnd = payloads.length;
  source.end();
  return { payloads, atEnd: payloads.length - beforeEnd };
}
const payloads = (text: string) => read([text]).payloads;

describe('payloads of server-sent events', () => {
  test.each<[string, string, readonly string[]]>([
    ['the data of each event, without its first space', 'data: a\n\ndata:b\n\ndata:  c\n\n', ['a', 'b', ' c']],
    ['no other fields', 'event: a\nid: b\nretry: 1\n: c\ndata\ndat: d\nxdata: e\nxata: e\ndata: f\n\n', ['f']],
    ['the data of an unfinished event', 'data: a', ['a']],
    ['empty data', 'data:\n\ndata: \n\n', ['', '']],
    ['data after a byte order mark at the start', '\ufeffdata: a\n\n', ['a']],
    ['no data after a later byte order mark', 'data: a\n\n\ufeffdata: b\n\n', ['a']],
    ['several lines of data, separately and joined', 'data: {\ndata: }\n\n', ['{', '}', '{\n}\n']],
    ['several lines of data joined when the stream ends', 'data: {\ndata: 1', ['{', '1', '{\n1\n']],
    [
      'a complete object as an event of its own, without a blank line',
      'data: {"a":1}\ndata: {\ndata: }\n\n',
      ['{"a":1}', '{', '}', '{\n}\n'],
    ],
    [
      'a line that is not an object as an event of its own',
      'data: [DONE]\ndata: {\ndata: }\n\n',
      ['[DONE]', '{', '}', '{\n}\n'],
    ],
    ['an empty first line joined with the next lines', 'data:\ndata: {\ndata: }\n\n', ['', '{', '}', '\n{\n}\n']],
    ['a first line of spaces joined with the next line', 'data:   \ndata: a\n\n', ['  ', 'a', '  \na\n']],
    ['a complete object after spaces', 'data:   {}\ndata: {\ndata: }\n\n', ['  {}', '{', '}', '{\n}\n']],
    ['the data of two events, not joined', 'data: {\n\ndata: }\n\n', ['{', '}']],
  ])('emits %s', (_what, text, expected) => {
    expect(payloads(text)).toEqual(expected);
    for (const end of ['\r\n', '\r']) {
      expect([end, payloads(text.replaceAll('\n', end))]).toEqual([end, expected]);
    }
    expect(read([...Buffer.from(text)].map((byte) => Buffer.of(byte))).payloads).toEqual(expected);
  });

  test('emits a payload when its line is complete, not at the end of the stream', () => {
    expect(read(['data: a\ndata: b\n\n']).atEnd).toBe(0);
    expect(read(['data: {\ndata: b\n']).atEnd).toBe(1);
  });

  describe('long events', () => {
    const HALF = LINE_BYTES_MAX / 2;
    const line = (payloadBytes: number) => `data: {${'x'.repeat(payloadBytes - 1)}`;
    const lengths = (...pieces: string[]) => read(pieces).payloads.map(({ length }) => length);
    // With the overhead of 128 bytes, this line takes half the limit.
    const half = line(HALF - 128);

    test('joins the lines of an event up to the limit', () => {
      expect(lengths(`${half}\n${line(HALF)}\n\n`)).toEqual([HALF - 128, HALF, 2 * HALF - 126]);
      expect(lengths(`${half}\n`, line(HALF - 6), '\n\n')).toEqual([HALF - 128, HALF - 6, 2 * HALF - 132]);
    });

    test('does not join the lines of an event beyond the limit', () => {
      expect(lengths(`${half}\n${line(HALF + 1)}\n\n`)).toEqual([HALF - 128, HALF + 1]);
      expect(lengths(`${half}\n`, line(HALF - 5), '\n\n')).toEqual([HALF - 128, HALF - 5]);
    });

    test('joins the lines of an event regardless of the number of events before it', () => {
      expect(payloads(`${'data: a\n\n'.repeat(LINE_BYTES_MAX / 128)}data: {\ndata: }\n\n`).at(-1)).toBe('{\n}\n');
    });

    test('counts 128 bytes of overhead per line towards the limit', () => {
      const count = LINE_BYTES_MAX / 129;
      const joinedLines = (lines: number) => read(['data: {\n'.repeat(lines), '\n']).payloads.at(-1)!.length / 2;
      expect(joinedLines(Math.floor(count))).toBe(Math.floor(count));
      expect(joinedLines(Math.ceil(count) + 1)).toBeLessThan(100);
    });
  });
});

describe('payloads of NDJSON', () => {
  test('emits each line of NDJSON as a payload', () => {
    expect(read(['{"a":1}\r\n{"b":\n\n2}'], NdjsonPayloads).payloads).toEqual(['{"a":1}', '{"b":', '', '2}']);
  });

  test('emits a line of NDJSON when it is complete, and an unfinished one at the end', () => {
    expect(read(['a\nb'], NdjsonPayloads).atEnd).toBe(1);
  });
});
