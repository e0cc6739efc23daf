import { beforeEach, describe, expect, test } from '@jest/globals';
import { CircuitBreaker } from '../../src/upstream/circuit-breaker.js';

describe('the circuit breaker', () => {
  let nowMs = 0;
  let breaker: CircuitBreaker;
  beforeEach(() => {
    nowMs = 1000;
    breaker = new CircuitBreaker(() => nowMs);
  });
  const refuse = (times: number) => {
    for (let n = 0; n < times; n++) breaker.onRefused();
  };

  test('opens after five refusals in a row, one success between them forgives', () => {
    refuse(4);
    breaker.onConnected();
    refuse(4);
    expect(breaker.secondsToWait()).toBe(0);
    refuse(1);
    expect(breaker.secondsToWait()).toBe(1);
  });

  test('lets one through when the time is over, and only one', () => {
    refuse(5);
    nowMs += 1000;
    expect(breaker.secondsToWait()).toBe(0);
    expect(breaker.secondsToWait()).toBe(1);
    breaker.onConnected();
    expect([breaker.secondsToWait(), breaker.open]).toEqual([0, false]);
  });

  test('waits longer after each failed probe, four seconds at most', () => {
    refuse(5);
    for (const seconds of [2, 4, 4]) {
      nowMs += 10_000;
      expect(breaker.secondsToWait()).toBe(0);
      refuse(1);
      expect(breaker.secondsToWait()).toBe(seconds);
    }
  });

  test('requests that were on their way when it opened do not hold it open for longer', () => {
    refuse(50);
    expect(breaker.secondsToWait()).toBe(1);
  });

  test('a probe that goes away without a word does not close the way for good', () => {
    refuse(5);
    nowMs += 1000;
    expect(breaker.secondsToWait()).toBe(0);
    nowMs += 1000;
    expect(breaker.secondsToWait()).toBe(0);
  });
});
