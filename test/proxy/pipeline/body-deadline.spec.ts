import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { allowedLagMs, BodyDeadline, type BodyPace } from '../../../src/proxy/pipeline/body/read-body.js';
import { fakeOnly } from '../../support/fake-timers.js';

beforeEach(() => void fakeOnly('setTimeout', 'clearTimeout', 'performance'));
afterEach(() => void jest.useRealTimers());

const PACE: BodyPace = { idleMs: 60_000, bytesPerSecondMin: 1024, totalMs: Infinity };

/** A body that the gateway reads, and the seconds after which its deadline passed. */
function reading(pace: Partial<BodyPace> = {}) {
  let passed = 0;
  const beganMs = performance.now();
  let passedAfter: number | null = null;
  const deadline = new BodyDeadline({ ...PACE, ...pace }, () => {
    passed += 1;
    passedAfter = (performance.now() - beganMs) / 1000;
  });
  deadline.resume();
  /** Receives the same number of bytes in each of so many seconds, or until the deadline has passed. */
  const receive = (bytesPerSecond: number, seconds: number): void => {
    for (let second = 0; second < seconds && passed === 0; second++) {
      jest.advanceTimersByTime(1000);
      if (bytesPerSecond > 0 && passed === 0) deadline.received(bytesPerSecond);
    }
  };
  return { deadline, receive, passedAfter: () => passedAfter, times: () => passed };
}

describe('minimum rate of a body', () => {
  test('a body of two bytes per second ends after 30 s', () => {
    const body = reading();
    body.receive(2, 120);
    expect(body.passedAfter()).toBeCloseTo(30, 0);
    expect(body.times()).toBe(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('a body at the minimum rate can take any time', () => {
    const body = reading();
    body.receive(1024, 10_000);
    expect(body.passedAfter()).toBeNull();
  });

  test('bytes that arrive early allow a pause up to the idle timeout, and no longer', () => {
    const body = reading();
    body.deadline.received(100_000_000);
    body.receive(0, 59);
    expect(body.passedAfter()).toBeNull();
    body.receive(0, 2);
    expect(body.passedAfter()).toBeCloseTo(60, 0);
  });

  test('a body that starts fast and then drips ends one idle timeout later', () => {
    const body = reading();
    body.deadline.received(100_000_000);
    body.receive(1, 300);
    expect(body.passedAfter()).toBeCloseTo(60, 0);
  });

  test('0 leaves only the idle timeout', () => {
    const body = reading({ bytesPerSecondMin: 0 });
    body.receive(1, 10_000);
    expect(body.passedAfter()).toBeNull();
    body.receive(0, 61);
    expect(body.passedAfter()).toBeCloseTo(10_060, 0);
  });

  test('time during which the gateway does not read does not count', () => {
    const body = reading();
    body.receive(2, 20);
    body.deadline.pause();
    jest.advanceTimersByTime(3_600_000);
    body.deadline.resume();
    body.receive(2, 9);
    expect(body.passedAfter()).toBeNull();
    body.receive(2, 3);
    expect(body.passedAfter()).toBeCloseTo(3630, 0);
  });

  test.each([
    [60_000, 30_000],
    [6_000, 30_000],
    [1_500, 7_500],
    [200, 5_000],
  ])('with an idle timeout of %s ms, a body can fall behind by %s ms', (idleMs, lagMs) => {
    expect(allowedLagMs(idleMs)).toBe(lagMs);
  });
});

test('a fast body with a total time ends when the time is over', () => {
  const body = reading({ totalMs: 10_000 });
  body.receive(5_000, 60);
  expect(body.passedAfter()).toBeCloseTo(10, 0);
});

test('a body sets one timer per interval, not one per chunk', () => {
  const { deadline } = reading();
  const set = jest.spyOn(globalThis, 'setTimeout');
  for (let chunk = 0; chunk < 10_000; chunk++) {
    deadline.received(10);
    jest.advanceTimersByTime(10);
  }
  expect(set.mock.calls.length).toBeLessThan(5);
  set.mockRestore();
});
