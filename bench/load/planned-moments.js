// Sends at planned times with an even rate, accurate to 0.1 ms. Node's timers have a resolution of 1 ms.
const NAP_MS = 0.05;
const cell = new Int32Array(new SharedArrayBuffer(4));

/** Calls `send(plannedAt)` `count` times at `ratePerSecond`. Late calls are made immediately and never skipped. */
export function atPlannedMoments(ratePerSecond, count, send) {
  const gapMs = 1000 / ratePerSecond;
  const beginAt = performance.now() + 1;
  let next = 0;
  return new Promise((resolve) => {
    const turn = () => {
      while (next < count && beginAt + next * gapMs <= performance.now()) send(beginAt + next++ * gapMs);
      if (next === count) return resolve();
      // Sleeps briefly instead of spinning, because the provider and the database share the core.
      const leftMs = beginAt + next * gapMs - performance.now();
      if (leftMs > 0) Atomics.wait(cell, 0, 0, Math.min(leftMs, NAP_MS));
      setImmediate(turn);
    };
    turn();
  });
}
