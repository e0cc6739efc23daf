// Sends at planned moments, an even rate, to a tenth of a millisecond: timers of Node know milliseconds only.
const NAP_MS = 0.05;
const cell = new Int32Array(new SharedArrayBuffer(4));

/** Calls `send(plannedAt)` `count` times, `ratePerSecond` a second; what comes late is not left out but sent at once. */
export function atPlannedMoments(ratePerSecond, count, send) {
  const gapMs = 1000 / ratePerSecond;
  const beginAt = performance.now() + 1;
  let next = 0;
  return new Promise((resolve) => {
    const turn = () => {
      while (next < count && beginAt + next * gapMs <= performance.now()) send(beginAt + next++ * gapMs);
      if (next === count) return resolve();
      // Short naps in place of spinning: the core is shared with provider and database.
      const leftMs = beginAt + next * gapMs - performance.now();
      if (leftMs > 0) Atomics.wait(cell, 0, 0, Math.min(leftMs, NAP_MS));
      setImmediate(turn);
    };
    turn();
  });
}
