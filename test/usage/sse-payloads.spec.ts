import { describe, expect, test } from 'vitest';
import { LINE_BYTES_MAX } from '../../src/proxy/usage/line-splitter.js';
import { payloadsOf } from '../../src/proxy/usage/sse-payloads.js';

const SSE = 'text/event-stream';
const NDJSON = 'application/x-ndjson';

/** What is handed out of `pieces`, and where the reader was asked for what may be left out; `next` says where it is not. */
function read(pieces: readonly (string | Buffer)[], type = SSE, next = (_chunk: Buffer, at: number) => at) {
  const payloads: string[] = [];
  const asked: number[] = [];
  const source = payloadsOf(type, {
    payload: (bytes) => void payloads.push(bytes.toString()),
    next: (chunk, at) => (asked.push(at), next(chunk, at)),
  });
  for (const piece of pieces) source.push(Buffer.from(piece));
  const beforeEnd = payloads.length;
  source.end();
  return { payloads, asked, atEnd: payloads.length - beforeEnd };
}
const payloads = (text: string, type?: string) => read([text], type).payloads;
/** Of interest is what stands at an exclamation mark. */
const nextMark = (chunk: Buffer, at: number): number => {
  const found = chunk.indexOf('!', at);
  return found === -1 ? chunk.length : found;
};

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
  test.each(['application/x-ndjson', 'application/NDJSON; charset=utf-8', 'application/jsonl', 'text/json-lines'])(
    'are the lines of a stream of the type %s',
    (type) => {
      expect(payloads('{"a":1}\r\n{"b":\n\n2}', type)).toEqual(['{"a":1}', '{"b":', '', '2}']);
    },
  );

  test.each(['text/event-stream', 'application/json', ''])('are not those of the type %j', (type) => {
    expect(payloads('{"a":1}\ndata: b\n', type)).toEqual(['b']);
  });

  test('are handed out when they have come', () => {
    expect(read(['a\nb'], NDJSON).atEnd).toBe(1);
  });
});

describe('whole events that are of no interest', () => {
  const quiet = 'data: a\n\n'.repeat(3);

  test.each<[string, string, readonly string[]]>([
    ['are left out unread', `${quiet}data: !\n\n${quiet}`, ['!']],
    ['are left out to the end of the chunk', quiet, []],
    ['are left out before one that has begun', `${quiet}data: b`, ['b']],
    ['are left out between two that are', `data: !\n\n${quiet}data: !\n\n`, ['!', '!']],
    ['with other fields too', `event: a\ndata: b\n\nevent: c\ndata: !\n\n`, ['!']],
    ['of which the first line is of interest are read', 'data: !\ndata: b\n\n', ['!', 'b']],
    ['are not left out behind the lines of one that is', `data: {!\ndata: }\n\n${quiet}`, ['{!', '}', '{!\n}\n']],
  ])('%s', (_what, text, expected) => {
    for (const end of ['\n', '\r\n']) {
      const bytes = Buffer.from(text.replaceAll('\n', end));
      expect([end, read([bytes], SSE, nextMark).payloads]).toEqual([end, expected]);
    }
  });

  test('wherever they are cut, and what is of interest is not', () => {
    const bytes = Buffer.from(`${quiet}event: b\ndata: !\n\n${quiet}data: !!\n\n${quiet}`);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { payloads } = read([bytes.subarray(0, cut), bytes.subarray(cut)], SSE, nextMark);
      expect([cut, payloads.filter((payload) => payload !== 'a')]).toEqual([cut, ['!', '!!']]);
    }
  });

  test('are read where they end by CR alone', () => {
    expect(read([quiet.replaceAll('\n', '\r')], SSE, nextMark).payloads).toEqual(['a', 'a', 'a']);
  });

  test('are read where an event has begun before them', () => {
    expect(read(['data: {\n', 'data: }\n\n'], SSE, nextMark).payloads).toEqual(['{', '}', '{\n}\n']);
    expect(read(['data: {\n:\n', 'data: !}\n\n'], SSE, nextMark).payloads).toEqual(['{', '!}', '{\n!}\n']);
  });

  test('lines of NDJSON are left out likewise', () => {
    expect(read(['a\nb\n!\nc\nd\n!'], NDJSON, nextMark).payloads).toEqual(['!', '!']);
    expect(read(['a\nb'], NDJSON, nextMark).payloads).toEqual(['b']);
  });

  test.each([
    ['events', SSE, 'data: a\n\n', 'data: !\n\n'],
    ['lines of NDJSON', NDJSON, 'a\n', '!\n'],
  ])('%s are searched for once, and each chunk anew', (_what, type, dull, telling) => {
    const chunk = `${dull.repeat(50)}${telling}${dull.repeat(50)}`;
    expect(read([chunk, chunk], type, nextMark).asked.length).toBe(4);
  });

  test.each([
    ['events', SSE, 'data: x\n'.repeat(50)],
    ['events that end by CR', SSE, 'data: x\r\r'.repeat(50)],
    ['lines of NDJSON that end by CR', NDJSON, 'x\r'.repeat(50)],
  ])('%s that cannot be left out are searched once too', (_what, type, text) => {
    expect(read([text], type, nextMark).asked).toEqual([0]);
  });
});
