import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { HELD_BYTES_MAX, HeldResponse } from '../../src/proxy/held-response.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Pushes these pieces, and lets half a second pass after each. */
function calls(pieces: readonly string[]): number[] {
  let called = 0;
  const held = new HeldResponse(() => (called += 1));
  return pieces.map((piece) => {
    held.push(Buffer.from(piece));
    jest.advanceTimersByTime(500);
    return called;
  });
}

describe('a held response', () => {
  test('reports half a second of blanks, once', () => {
    expect(calls(['\n', ' \r\n\t', ' ', '{}'])).toEqual([1, 1, 1, 1]);
  });

  test.each([[['{"a":', '\n', '1}']], [['\n{', ' ', '}']], [['1', '  ']]])(
    'that begins with %j reports none',
    (pieces) => {
      expect(calls(pieces)).toEqual(pieces.map(() => 0));
      expect(jest.getTimerCount()).toBe(0);
    },
  );

  test('that goes on within half a second reports none', () => {
    const onBlank = jest.fn();
    const held = new HeldResponse(onBlank);
    held.push(Buffer.from('\n'));
    jest.advanceTimersByTime(499);
    held.push(Buffer.from(' {'));
    jest.advanceTimersByTime(10_000);
    expect([onBlank.mock.calls.length, held.isStillBlank(Buffer.from(' ')), jest.getTimerCount()]).toEqual([
      0,
      false,
      0,
    ]);
  });

  test('that has ended leaves no timer', () => {
    const held = new HeldResponse(jest.fn());
    held.push(Buffer.from('\n'));
    held.stop();
    expect(jest.getTimerCount()).toBe(0);
  });

  test('is too long above 1 MiB, and keeps its bytes in order', () => {
    const held = new HeldResponse(jest.fn());
    held.push(Buffer.alloc(HELD_BYTES_MAX, 'x'));
    expect(held.tooLong).toBe(false);
    held.push(Buffer.from('y'));
    expect([held.tooLong, held.whole().toString('latin1', HELD_BYTES_MAX - 1)]).toEqual([true, 'xy']);
  });
});
