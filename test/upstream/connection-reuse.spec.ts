import { beforeEach, describe, expect, test } from '@jest/globals';
import { ConnectionReuse } from '../../src/upstream/connection-reuse.js';

const MINUTE_MS = 60_000;

let nowMs: number;
let window: ConnectionReuse;
beforeEach(() => {
  nowMs = 0;
  window = new ConnectionReuse(() => nowMs);
});

/** Simulates a connection that carries `requests` and stays open during the rest after each. */
const keep = (requests: number) => {
  for (let carried = 1; carried <= requests; carried++) window.onRested(carried);
};

describe('restMs of ConnectionReuse', () => {
  test('the rest is 100 ms until one connection has outlasted it 32 times, and 0 from then on', () => {
    keep(31);
    expect([window.restMs, window.seenKept]).toEqual([100, true]);
    keep(32);
    expect(window.restMs).toBe(0);
  });

  test('a close during the rest restores it for at least a minute', () => {
    keep(32);
    window.onClosed(3);
    expect([window.restMs, window.seenKept]).toEqual([100, false]);
    nowMs = MINUTE_MS - 1;
    keep(32);
    expect(window.restMs).toBe(100);
    nowMs = MINUTE_MS;
    keep(32);
    expect(window.restMs).toBe(0);
  });

  test('the rest is restored for twice as long after each further close, up to an hour', () => {
    const durations = Array.from({ length: 9 }, () => {
      window.onClosed(0);
      // A burst of closes counts as one.
      window.onClosed(0);
      let minutes = 0;
      for (; window.restMs > 0; minutes++) {
        nowMs += MINUTE_MS;
        keep(32);
      }
      return minutes;
    });
    expect(durations).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  test('a close after 100 ms or more does not restore the rest', () => {
    keep(32);
    window.onClosed(100);
    expect(window.restMs).toBe(0);
  });
});

describe('idleMsMax of ConnectionReuse', () => {
  test('the maximum idle time is 100 ms below the longest idle time that a connection has outlasted', () => {
    expect(window.idleMsMax).toBe(0);
    window.onOpen(90);
    expect(window.idleMsMax).toBe(0);
    window.onOpen(1_000);
    window.onOpen(500);
    expect(window.idleMsMax).toBe(900);
  });

  test('the maximum idle time is half of the shortest idle time before a close', () => {
    window.onOpen(3_500);
    window.onClosed(2_000);
    window.onClosed(1_000);
    window.onClosed(3_000);
    expect(window.idleMsMax).toBe(500);
  });

  test('a request that was lost after 100 ms or more counts as a close, and a sooner loss does not', () => {
    window.onOpen(3_500);
    window.onLost(99);
    expect([window.idleMsMax, window.restMs]).toEqual([3_400, 100]);
    window.onLost(800);
    expect(window.idleMsMax).toBe(400);
  });

  test('a minute without a close allows longer idle times again, once a connection has outlasted them', () => {
    window.onClosed(1_000);
    nowMs = 1_000;
    window.onClosed(1_000);
    nowMs = MINUTE_MS + 999;
    window.onOpen(700);
    expect(window.idleMsMax).toBe(500);
    nowMs = MINUTE_MS + 1_000;
    window.onOpen(600);
    expect(window.idleMsMax).toBe(500);
    window.onOpen(700);
    expect(window.idleMsMax).toBe(600);
  });

  test('longer idle times are allowed again as soon as a connection outlasts the closed ones', () => {
    window.onClosed(200);
    window.onOpen(500);
    expect(window.idleMsMax).toBe(100);
    window.onOpen(501);
    expect(window.idleMsMax).toBe(401);
  });
});
