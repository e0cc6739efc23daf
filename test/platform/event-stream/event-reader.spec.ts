import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { documentsIn } from '../../../src/platform/event-stream/documents-in.js';
import { eventReader, type MarkSearch, type StreamFormat } from '../../../src/platform/event-stream/event-reader.js';

/** Returns the lines of data of each event. `!` precedes the data of an error event. Each chunk is overwritten after its call. */
function read(chunks: readonly Buffer[], format: StreamFormat = 'sse', marks: MarkSearch | null = null): string[][] {
  const events: string[][] = [];
  let lines: string[] = [];
  let line = '';
  const endLine = () => {
    if (line !== '') lines.push(line);
    line = '';
  };
  const reader = eventReader(
    format,
    {
      data: (piece) => void (line += piece.toString('latin1')),
      lineEnd: endLine,
      errorEvent: () => void lines.push('!'),
      eventEnd: () => {
        endLine();
        if (lines.length > 0) events.push(lines);
        lines = [];
      },
    },
    marks,
  );
  for (const given of chunks) {
    const chunk = Buffer.from(given);
    reader.push(chunk);
    chunk.fill(0x21);
  }
  reader.end();
  return events;
}

/** Returns the events of `text`, which are the same wherever it is split, and byte by byte. */
function readEverySplit(bytes: Buffer, format: StreamFormat = 'sse'): string[][] {
  const whole = read([bytes], format);
  expect(
    read(
      [...bytes].map((byte) => Buffer.of(byte)),
      format,
    ),
  ).toEqual(whole);
  for (let at = 0; at <= bytes.length; at++)
    expect(read([bytes.subarray(0, at), bytes.subarray(at)], format)).toEqual(whole);
  return whole;
}

describe('the reader of server-sent events', () => {
  test.each<[string, string, string[][]]>([
    ['the data of each event', 'data: a\n\ndata:b\n\ndata:  c\n\n', [[' a'], ['b'], ['  c']]],
    ['no other fields', 'event: a\nid: b\nretry: 1\n: c\ndata\ndat: d\nxdata: e\nxata: e\ndata: f\n\n', [[' f']]],
    ['the data of an unfinished event', 'data: a', [[' a']]],
    ['data after a byte order mark', '\ufeffdata: a\n\n', [[' a']]],
    ['several lines of one event', 'data: {\ndata: }\n\ndata: x\n\n', [[' {', ' }'], [' x']]],
    ['several lines when the stream ends', 'data: {\ndata: 1', [[' {', ' 1']]],
    [
      'an error event',
      'event: error\ndata: a\n\nevent:error\ndata: b\n\n',
      [
        ['!', ' a'],
        ['!', ' b'],
      ],
    ],
    ['an error field', 'error: a\n\n', [['!', ' a']]],
    ['no error in other events', 'event: errors\ndata: error\n\n', [[' error']]],
  ])('finds %s, with any line end and wherever the stream is split', (_what, text, expected) => {
    for (const end of ['\n', '\r\n', '\r'])
      expect([end, readEverySplit(Buffer.from(text.replaceAll('\n', end)))]).toEqual([end, expected]);
  });

  test('finds the data of every recorded stream wherever it is split in two', () => {
    const folder = new URL('../../fixtures/streams/', import.meta.url);
    for (const name of readdirSync(folder)) {
      const bytes = readFileSync(new URL(name, folder)).subarray(0, 6000);
      const format = name.endsWith('ndjson') ? 'ndjson' : 'sse';
      const whole = read([bytes], format);
      for (let at = 0; at <= bytes.length; at++) {
        const events = read([bytes.subarray(0, at), bytes.subarray(at)], format);
        if (JSON.stringify(events) !== JSON.stringify(whole)) throw new Error(`${name} differs, split at ${at}`);
      }
    }
  });

  test.each(['\n', '\r\n'])('skips complete events without a mark, with lines that end in %j', (end) => {
    let found = -1;
    const marks: MarkSearch = {
      reset: () => void (found = -1),
      next: (chunk, at) => {
        const mark = chunk.indexOf('MARK', at);
        return (found = mark === -1 ? chunk.length : mark);
      },
    };
    const text = ['data: a', '', 'data: b', '', 'data: MARK', '', 'data: c', '', ''].join(end);
    expect(read([Buffer.from(text)], 'sse', marks)).toEqual([[' MARK']]);
    expect(found).toBe(text.length);
  });
});

describe('the reader of other formats', () => {
  test('finds each line of NDJSON, wherever the stream is split', () => {
    const lines = [['{"a":1}'], ['{"b":'], ['2}']];
    expect(readEverySplit(Buffer.from('{"a":1}\r\n{"b":\n\n2}'), 'ndjson')).toEqual(lines);
  });

  test('finds one document in JSON', () => {
    expect(readEverySplit(Buffer.from('{"a":\n1}\n'), 'json')).toEqual([['{"a":\n1}\n']]);
  });
});

describe('the documents in a part of a stream', () => {
  const documents = (text: string, format: StreamFormat = 'sse') =>
    documentsIn(Buffer.from(text), format, (data) => {
      try {
        return JSON.parse(data.toString()) as object;
      } catch {
        return null;
      }
    });

  test.each<[string, string, object[]]>([
    ['one per event', 'data: {"a":1}\n\ndata: [DONE]\n\ndata: {"b":2}\n\n', [{ a: 1 }, { b: 2 }]],
    ['one in several lines', 'data: {"a":\ndata: 1}\n\n', [{ a: 1 }]],
    ['one per line, without blank lines', 'data: {"a":1}\ndata: {"b":2}\ndata: [DONE]\n', [{ a: 1 }, { b: 2 }]],
    ['none in a truncated event', 'a":1}\n\ndata: {"b":2}\n\ndata: {"c"', [{ b: 2 }]],
  ])('are %s', (_what, text, expected) => expect(documents(text)).toEqual(expected));

  test('are the lines of NDJSON', () => {
    expect(documents('{"a":1}\n\n{"b":2}', 'ndjson')).toEqual([{ a: 1 }, { b: 2 }]);
  });
});
