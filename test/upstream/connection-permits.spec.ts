import fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';
import { ConnectionPermits, type PermitWaiter } from '../../src/upstream/connection-permits.js';

/** Returns a function that queues a waiter, and the names of the served waiters. */
function queueOf(permits: ConnectionPermits) {
  const served: string[] = [];
  const wait = (holder: string, name = holder): PermitWaiter | null => {
    const waiter = { holder, onPermit: () => void served.push(name) };
    return permits.wait(waiter) ? waiter : null;
  };
  return { served, wait };
}

const takenBy = (permits: ConnectionPermits, holder: string): number => {
  let taken = 0;
  while (permits.take(holder)) taken += 1;
  return taken;
};

describe('ConnectionPermits with one holder', () => {
  test('serves waiters in order, never exceeds the total, and bounds the queue', () => {
    const permits = new ConnectionPermits(1, 2);
    const { served, wait } = queueOf(permits);
    expect([permits.take('a'), permits.take('a')]).toEqual([true, false]);
    const first = wait('a', 'first');
    expect([first, wait('a', 'second'), wait('a', 'third')]).toMatchObject([{}, {}, null]);
    expect(permits.rejected).toBe(1);
    permits.leave(first!);
    permits.release('a');
    expect([served, permits.free, permits.waiting]).toEqual([['second'], 0, 0]);
    permits.release('a');
    expect(permits.free).toBe(1);
  });

  test.each([1, 2, 20, 31])('one holder can take all of %d permits', (total) =>
    expect(takenBy(new ConnectionPermits(total, 10), 'a')).toBe(total),
  );
});

describe('ConnectionPermits with several holders', () => {
  test('serves holders round-robin', () => {
    const permits = new ConnectionPermits(1, 100);
    const { served, wait } = queueOf(permits);
    permits.take('many');
    for (let at = 0; at < 5; at++) wait('many');
    wait('few');
    wait('few');
    for (let at = 0; at < 7; at++) permits.release(served.at(-1) ?? 'many');
    expect(served).toEqual(['many', 'few', 'many', 'few', 'many', 'many', 'many']);
  });

  test('keeps room in the queue for holders that are not waiting yet', () => {
    const permits = new ConnectionPermits(1, 100);
    const { wait } = queueOf(permits);
    permits.take('many');
    for (let at = 0; at < 1_000; at++) wait('many');
    expect(permits.waiting).toBe(51);
    for (let at = 0; at < 1_000; at++) wait('more');
    expect(permits.waiting).toBe(76);
    expect(wait('few')).not.toBeNull();
  });

  test('reserves the last permits of a large pool for holders of few permits', () => {
    const permits = new ConnectionPermits(4096, 10);
    expect(takenBy(permits, 'all')).toBe(4096 - 128);
    expect(takenBy(permits, 'most')).toBe(64);
    expect(takenBy(permits, 'some')).toBe(32);
    expect(permits.take('few')).toBe(true);
  });

  test('serves a holder at its limit once more permits are free than the reserve', () => {
    const permits = new ConnectionPermits(64, 10);
    const { served, wait } = queueOf(permits);
    expect([takenBy(permits, 'all'), permits.take('few')]).toEqual([62, true]);
    wait('all');
    permits.release('few');
    expect([served, permits.free]).toEqual([[], 2]);
    permits.release('all');
    expect([served, permits.free]).toEqual([['all'], 2]);
  });

  test('a holder at its limit does not block the holders behind it', () => {
    const permits = new ConnectionPermits(64, 10);
    const { served, wait } = queueOf(permits);
    expect([takenBy(permits, 'all'), permits.take('few'), permits.take('other')]).toEqual([62, true, true]);
    wait('all');
    wait('few');
    permits.release('few');
    expect(served).toEqual(['few']);
  });

  test('one released permit can serve two waiters', () => {
    const permits = new ConnectionPermits(96, 10);
    const { served, wait } = queueOf(permits);
    expect([takenBy(permits, 'all'), permits.take('a'), permits.take('b'), permits.free]).toEqual([93, true, true, 1]);
    wait('a');
    wait('b');
    permits.release('b');
    expect([served, permits.free]).toEqual([['a', 'b'], 0]);
  });
});

test('in any sequence, all permits return and no holder waits that could be served', () => {
  const holder = fc.constantFrom('a', 'b', 'c');
  const step = fc.tuple(fc.constantFrom('take', 'take', 'take', 'release', 'release', 'leave'), holder, fc.nat(20));
  fc.assert(
    fc.property(fc.constantFrom(1, 3, 40), fc.array(step, { maxLength: 300, size: 'max' }), (total, steps) => {
      const permits = new ConnectionPermits(total, 30);
      const held: string[] = [];
      const waiting = new Set<PermitWaiter>();
      for (const [what, who, at] of steps) {
        if (what === 'take') {
          const waiter: PermitWaiter = { holder: who, onPermit: () => (held.push(who), void waiting.delete(waiter)) };
          if (permits.take(who)) held.push(who);
          else if (permits.wait(waiter)) waiting.add(waiter);
        } else if (what === 'release' && held.length > 0) {
          permits.release(held.splice(at % held.length, 1)[0]!);
        } else if (what === 'leave' && waiting.size > 0) {
          const leaving = [...waiting][at % waiting.size]!;
          waiting.delete(leaving);
          permits.leave(leaving);
        }
        expect([permits.free, permits.waiting]).toEqual([total - held.length, waiting.size]);
        for (const one of waiting) expect(permits.take(one.holder)).toBe(false);
      }
      for (const one of waiting) permits.leave(one);
      while (held.length > 0) permits.release(held.pop()!);
      expect([permits.free, permits.waiting]).toEqual([total, 0]);
    }),
  );
});
