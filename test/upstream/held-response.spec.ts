import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { HeldResponse } from '../../src/proxy/held-response.js';

const HELD_BYTES_MAX = 1024 * 1024;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Pushes these pieces with half a second after each. Returns the number of `onBlank` calls after each piece. */
function calls(pieces: readonly string[]): number[] {
  let called = 0;
  const held = new HeldResponse({ onBlank: () => (called += 1) });
  return pieces.map((piece) => {
    held.push(Buffer.from(piece));
    jest.advanceTimersByTime(500);
    return called;
  });
}

describe('HeldResponse', () => {
  test('reports whitespace once, half a second after its first byte', () => {
    expect(calls(['\n', ' \r\n\t', ' ', '{}'])).toEqual([1, 1, 1, 1]);
  });

  test.each([[['{"a":', '\n', '1}']], [['\n{', ' ', '}']], [['1', '  ']]])(
    'does not report whitespace in the chunks %j',
    (pieces) => {
      expect(calls(pieces)).toEqual(pieces.map(() => 0));
      expect(jest.getTimerCount()).toBe(0);
    },
  );

  test('does not report whitespace if other bytes follow within half a second', () => {
    const onBlank = jest.fn();
    const held = new HeldResponse({ onBlank });
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

  test('stopping clears the timer', () => {
    const held = new HeldResponse({ onBlank: jest.fn() });
    held.push(Buffer.from('\n'));
    held.stop();
    expect(jest.getTimerCount()).toBe(0);
  });

  test('a held response is too long above 1 MiB, and keeps its bytes in order', () => {
    const held = new HeldResponse({ onBlank: jest.fn() });
    held.push(Buffer.alloc(HELD_BYTES_MAX, 'x'));
    expect(held.tooLong).toBe(false);
    held.push(Buffer.from('y'));
    expect([held.tooLong, held.whole().toString('latin1', HELD_BYTES_MAX - 1)]).toEqual([true, 'xy']);
  });
});
