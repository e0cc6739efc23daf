import { describe, expect, jest, test } from '@jest/globals';
import { LineCutter, LineSplitter } from '../../../src/platform/event-stream/line-splitter.js';

const LINE_BYTES_MAX = 8 * 1024 * 1024;

/** Creates a splitter and the array of lines that it has emitted so far. */
function made() {
  const lines: string[] = [];
  const line = (bytes: Buffer) => void lines.push(bytes.toString('latin1'));
  const lineTooLong = () => {
    throw new Error('too long');
  };
  return { lines, splitter: new LineSplitter({ line, lineTooLong }) };
}
/** Creates a cutter and the array of its whole lines. */
function cutting(skip: (chunk: Buffer, at: number) => number) {
  const lines: string[] = [];
  let line = '';
  const piece = (chunk: Buffer, from: number, to: number) => void (line += chunk.toString('latin1', from, to));
  const lineEnd = (chunk: Buffer, from: number, to: number) => {
    piece(chunk, from, to);
    lines.push(line);
    line = '';
  };
  return { lines, cutter: new LineCutter({ piece, lineEnd, skip }) };
}
function linesOf(pieces: readonly Buffer[]): string[] {
  const { lines, splitter } = made();
  for (const piece of pieces) splitter.push(piece);
  splitter.end();
  return lines;
}

describe('LineSplitter', () => {
  test.each([
    ['', []],
    ['a', ['a']],
    ['a\n', ['a']],
    ['\n', ['']],
    ['\r', ['']],
    ['\r\n', ['']],
    ['\n\r', ['', '']],
    ['\r\n\r\n', ['', '']],
    ['\r\r\n\n', ['', '', '']],
    ['ab\ncd\r\nef\rgh', ['ab', 'cd', 'ef', 'gh']],
    ['ab\r\rcd\n\n\r\nef\r', ['ab', '', 'cd', '', '', 'ef']],
  ])('splits %j into the same lines wherever the chunks end', (text, expected) => {
    const bytes = Buffer.from(text);
    expect(linesOf([...bytes].map((byte) => Buffer.of(byte)))).toEqual(expected);
    for (let first = 0; first <= bytes.length; first++) {
      for (let second = first; second <= bytes.length; second++) {
        const pieces = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)];
        expect([first, second, linesOf(pieces)]).toEqual([first, second, expected]);
      }
    }
  });

  test('emits each line as soon as its end arrives', () => {
    const { lines, splitter } = made();
    const seen = ['a', 'b\n', 'c\r', '\nd', '\r'].map((piece) => {
      splitter.push(Buffer.from(piece));
      return [...lines];
    });
    expect(seen).toEqual([[], ['ab'], ['ab', 'c'], ['ab', 'c'], ['ab', 'c', 'd']]);
  });
});

describe('line length limit of LineSplitter', () => {
  const A = Buffer.from('a');
  const LF = Buffer.from('\n');
  const most = Buffer.alloc(LINE_BYTES_MAX, 'x');
  const lengths = (pieces: readonly Buffer[]) =>
    linesOf([...pieces, Buffer.from('\nnext\n')]).map(({ length }) => length);

  test('emits a line of exactly the maximum length, in one piece or in several', () => {
    expect(lengths([most])).toEqual([LINE_BYTES_MAX, 4]);
    expect(lengths([Buffer.concat([most, LF])])).toEqual([LINE_BYTES_MAX, 0, 4]);
    expect(lengths([A, most.subarray(1)])).toEqual([LINE_BYTES_MAX, 4]);
    expect(lengths([A, Buffer.concat([most.subarray(1), LF])])).toEqual([LINE_BYTES_MAX, 0, 4]);
  });

  test.each([
    ['in one piece', [Buffer.concat([most, A, LF])]],
    ['in several pieces', [A, Buffer.concat([most, LF])]],
    ['without an end', [most, A]],
  ])('reports a line that is one byte too long, %s', (_, pieces) => {
    expect(() => linesOf(pieces)).toThrow('too long');
  });
});

describe('buffer of LineSplitter for lines in several pieces', () => {
  /** Returns the size of each allocation, in bytes. */
  function allocated(texts: Iterable<string>): number[] {
    const pieces = Array.from(texts, (text) => Buffer.from(text));
    const { splitter } = made();
    const alloc = jest.spyOn(Buffer, 'allocUnsafeSlow');
    for (const piece of pieces) splitter.push(piece);
    const sizes = alloc.mock.calls.map(([bytes]) => bytes);
    alloc.mockRestore();
    return sizes;
  }

  test('the buffer doubles when it is too small, up to the longest line', () => {
    expect(allocated('x'.repeat(5000))).toEqual([1024, 2048, 4096, 8192]);
    expect(allocated(['x'.repeat(3000), 'x'])).toEqual([3000, 6000]);
    expect(allocated(['x'.repeat(LINE_BYTES_MAX - 1), 'x'])).toEqual([LINE_BYTES_MAX - 1, LINE_BYTES_MAX]);
  });

  test('the buffer keeps its bytes when it grows', () => {
    const line = Array.from({ length: 5000 }, (_, at) => String(at % 7));
    expect(linesOf(line.map((digit) => Buffer.from(digit)))).toEqual([line.join('')]);
  });

  test('the buffer is reused for the next line unless it is larger than 64 KiB', () => {
    const line = ['x'.repeat(64 * 1024), '\n'];
    expect(allocated([...line, ...line])).toEqual([64 * 1024]);
    const longLine = [`${line[0]}x`, '\n'];
    expect(allocated([...longLine, ...longLine])).toEqual([64 * 1024 + 1, 64 * 1024 + 1]);
  });
});

describe('skipping with LineCutter', () => {
  test('calls skip only at the start of a line', () => {
    const asked: string[] = [];
    const { cutter } = cutting((chunk, at) => (asked.push(chunk.toString('latin1', at)), at));
    for (const piece of ['ab\ncd\r\nef', 'gh\n', '\r', '\nij']) cutter.push(Buffer.from(piece));
    expect(asked).toEqual(['ab\ncd\r\nef', 'cd\r\nef', 'ef', '\r', 'ij']);
  });

  test('does not emit skipped lines, whether one, several or all', () => {
    const skipping = (to: number) => {
      const { lines, cutter } = cutting((_chunk, at) => Math.max(at, to));
      cutter.push(Buffer.from('ab\ncd\nef'));
      cutter.end();
      return lines;
    };
    expect([skipping(0), skipping(3), skipping(6), skipping(8)]).toEqual([
      ['ab', 'cd', 'ef'],
      ['cd', 'ef'],
      ['ef'],
      [],
    ]);
  });
});

test('a chunk is searched for each kind of line end once per occurrence, and once more', () => {
  const chunk = Buffer.from('x\n'.repeat(100) + 'y\r'.repeat(10) + 'z');
  const search = jest.spyOn(chunk, 'indexOf');
  made().splitter.push(chunk);
  const searchesFor = (end: number) => search.mock.calls.filter(([byte]) => byte === end).length;
  expect([searchesFor(0x0a), searchesFor(0x0d)]).toEqual([101, 11]);
});
