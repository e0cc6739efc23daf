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

/** Returns how many times the CPU time is if the input is eight times as large. It is about 8 for linear work, and 64 for quadratic work. */
export function growthOf<T>(inputOf: (size: number) => T, size: number, work: (input: T) => unknown): number {
  const [small, large] = [inputOf(size), inputOf(8 * size)];
  return (
    cpuTimeOf(() => work(large)) /
    Math.max(
      1,
      cpuTimeOf(() => work(small)),
    )
  );
}

/** Between the growth of linear and of quadratic work. */
export const LINEAR_GROWTH_MAX = 24;
