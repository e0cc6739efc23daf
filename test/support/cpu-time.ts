const ATTEMPTS = 5;

/** Returns the CPU time of synchronous work in microseconds, as the least of several attempts. Other processes do not add to it. */
export function cpuTimeOf(work: () => unknown): number {
  const attempts = Array.from({ length: ATTEMPTS }, () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return user + system;
  });
  return Math.min(...attempts);
}

const ROUNDS = 3;
/** Linux updates the CPU time of a running thread every few milliseconds. */
const MEASURED_US_MIN = 20_000;

/** Returns the CPU time of one call in microseconds, as the mean of enough calls to measure it. */
function meanCpuTimeOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  for (let calls = 1; ; calls++) {
    work();
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= MEASURED_US_MIN) return (user + system) / calls;
  }
}

/**
 * Returns how many times the CPU time is if the input is eight times as large. Linear work gives 8, and quadratic work 64. The result is
 * the least of several rounds, because a busy machine empties the processor's caches, which large inputs need more.
 */
export function growthOf<T>(inputOf: (size: number) => T, size: number, work: (input: T) => unknown): number {
  const [small, large] = [inputOf(size), inputOf(8 * size)];
  const ratios = Array.from(
    { length: ROUNDS },
    () => meanCpuTimeOf(() => work(large)) / meanCpuTimeOf(() => work(small)),
  );
  return Math.min(...ratios);
}

/** Between the growth of linear and of quadratic work. */
export const LINEAR_GROWTH_MAX = 24;
