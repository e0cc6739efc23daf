import { jest } from '@jest/globals';

const FAKEABLE = [
  'Date' as const,
  'performance' as const,
  'hrtime' as const,
  'nextTick' as const,
  'queueMicrotask' as const,
  'setTimeout' as const,
  'clearTimeout' as const,
  'setInterval' as const,
  'clearInterval' as const,
  'setImmediate' as const,
  'clearImmediate' as const,
];

/** Fakes only the functions with these names. The clock and all other timers stay real. */
export function fakeOnly(...names: (typeof FAKEABLE)[number][]): void {
  jest.useFakeTimers({ doNotFake: FAKEABLE.filter((name) => !names.includes(name)) });
}
