import { describe, expect, test } from '@jest/globals';
import { LINE_BYTES_MAX } from '../../src/proxy/metering/line-splitter.js';
import { NdjsonPayloads, SsePayloads } from '../../src/proxy/metering/stream-payloads.js';

/** The payloads in `pieces`, and how many of them came with the end. */
function read(pieces: readonly (string | Buffer)[], Source: typeof SsePayloads | typeof NdjsonPayloads = SsePayloads) {
  const payloads: string[] = [];
  const source = new Source((bytes) => void payloads.push(bytes.toString()));
  for (const piece of pieces) source.push(Buffer.from(piece));
  const beforeEnd = payloads.length;
  source.end();
  return { payloads, atEnd: payloads.length - beforeEnd };
}
const payloads = (text: string) => read([text]).payloads;

describe('the payloads of server-sent events', () => {
  test.each<[string, string, readonly string[]]>([
    ['are their data, without the blank before them', 'data: a\n\ndata:b\n\ndata:  c\n\n', ['a', 'b', ' c']],
    ['are not other fields', 'event: a\nid: b\nretry: 1\n: c\ndata\ndat: d\nxdata: e\nxata: e\ndata: f\n\n', ['f']],
    ['are also those of an event that has not ended', 'data: a', ['a']],
    ['may be empty', 'data:\n\ndata: \n\n', ['', '']],
    ['begin behind a byte order mark', '\ufeffdata: a\n\n', ['a']],
    ['do not begin behind a second one', 'data: a\n\n\ufeffdata: b\n\n', ['a']],
    ['of several lines are given by line and joined', 'data: {\ndata: }\n\n', ['{', '}', '{\n}\n']],
    ['of several lines are joined where the stream ends', 'data: {\ndata: 1', ['{', '1', '{\n1\n']],
    [
      'that are whole are events without a blank line',
      'data: {"a":1}\ndata: {\ndata: }\n\n',
      ['{"a":1}', '{', '}', '{\n}\n'],
    ],
    ['that are no objects are such events too', 'data: [DONE]\ndata: {\ndata: }\n\n', ['[DONE]', '{', '}', '{\n}\n']],
    ['of an empty first line go on', 'data:\ndata: {\ndata: }\n\n', ['', '{', '}', '\n{\n}\n']],
    ['of a first line of blanks go on', 'data:   \ndata: a\n\n', ['  ', 'a', '  \na\n']],
    ['behind blanks are whole too', 'data:   {}\ndata: {\ndata: }\n\n', ['  {}', '{', '}', '{\n}\n']],
    ['of one event are not those of the next', 'data: {\n\ndata: }\n\n', ['{', '}']],
  ])('%s', (_what, text, expected) => {
    expect(payloads(text)).toEqual(expected);
    for (const end of ['\r\n', '\r']) {
      expect([end, payloads(text.replaceAll('\n', end))]).toEqual([end, expected]);
    }
    expect(read([...Buffer.from(text)].map((byte) => Buffer.of(byte))).payloads).toEqual(expected);
  });

  test('are handed out when their line has come, not at the end', () => {
    expect(read(['data: a\ndata: b\n\n']).atEnd).toBe(0);
    expect(read(['data: {\ndata: b\n']).atEnd).toBe(1);
  });

  describe('of an event that is too long', () => {
    const HALF = LINE_BYTES_MAX / 2;
    const line = (payloadBytes: number) => `data: {${'x'.repeat(payloadBytes - 1)}`;
    const lengths = (...pieces: string[]) => read(pieces).payloads.map(({ length }) => length);
    // With what it costs, half of what is held.
    const half = line(HALF - 128);

    test('are joined within the bound', () => {
      expect(lengths(`${half}\n${line(HALF)}\n\n`)).toEqual([HALF - 128, HALF, 2 * HALF - 126]);
      expect(lengths(`${half}\n`, line(HALF - 6), '\n\n')).toEqual([HALF - 128, HALF - 6, 2 * HALF - 132]);
    });

    test('are not joined with what came before the bound', () => {
      expect(lengths(`${half}\n${line(HALF + 1)}\n\n`)).toEqual([HALF - 128, HALF + 1]);
      expect(lengths(`${half}\n`, line(HALF - 5), '\n\n')).toEqual([HALF - 128, HALF - 5]);
    });

    test('are those of one event, however many came before it', () => {
      expect(payloads(`${'data: a\n\n'.repeat(LINE_BYTES_MAX / 128)}data: {\ndata: }\n\n`).at(-1)).toBe('{\n}\n');
    });

    test('are held for a cost of 128 bytes a line', () => {
      const count = LINE_BYTES_MAX / 129;
      const joinedLines = (lines: number) => read(['data: {\n'.repeat(lines), '\n']).payloads.at(-1)!.length / 2;
      expect(joinedLines(Math.floor(count))).toBe(Math.floor(count));
      expect(joinedLines(Math.ceil(count) + 1)).toBeLessThan(100);
    });
  });
});

describe('the payloads of NDJSON', () => {
  test('are its lines', () => {
    expect(read(['{"a":1}\r\n{"b":\n\n2}'], NdjsonPayloads).payloads).toEqual(['{"a":1}', '{"b":', '', '2}']);
  });

  test('are passed on when they have come', () => {
    expect(read(['a\nb'], NdjsonPayloads).atEnd).toBe(1);
  });
});
