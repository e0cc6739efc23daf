import { beforeEach, describe, expect, test } from '@jest/globals';
import { CircuitBreaker } from '../../src/upstream/circuit-breaker.js';

describe('CircuitBreaker', () => {
  let nowMs = 0;
  let breaker: CircuitBreaker;
  beforeEach(() => {
    nowMs = 1000;
    breaker = new CircuitBreaker(() => nowMs);
  });
  const refuse = (times: number) => {
    for (let n = 0; n < times; n++) breaker.onRefused();
  };

  test('the breaker opens after five consecutive failures to connect', () => {
    refuse(4);
    breaker.onConnected();
    refuse(4);
    expect(breaker.admit()).toBe(0);
    refuse(1);
    expect(breaker.admit()).toBe(1);
  });

  test('the breaker lets a single probe through after its wait', () => {
    refuse(5);
    nowMs += 1000;
    expect(breaker.admit()).toBe(0);
    expect(breaker.admit()).toBe(1);
    breaker.onConnected();
    expect([breaker.admit(), breaker.open]).toEqual([0, false]);
  });

  test('the wait grows with each failed probe, up to 4 s', () => {
    refuse(5);
    for (const seconds of [2, 4, 4]) {
      nowMs += 10_000;
      expect(breaker.admit()).toBe(0);
      refuse(1);
      expect(breaker.admit()).toBe(seconds);
    }
  });

  test('failures of requests that were connecting when the breaker opened do not extend the wait', () => {
    refuse(50);
    expect(breaker.admit()).toBe(1);
  });

  test('the breaker allows another probe if the result of the first is never reported', () => {
    refuse(5);
    nowMs += 1000;
    expect(breaker.admit()).toBe(0);
    nowMs += 1000;
    expect(breaker.admit()).toBe(0);
  });
});
