export interface Random {
  /** Returns an integer from 0 to `n - 1`. */
  below(n: number): number;
  one<T>(list: readonly T[]): T;
}

/** A small generator, so that a failure can be repeated with its seed. */
export function randomOf(seed: number): Random {
  let state = seed;
  const below = (n: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  return { below, one: (list) => list[below(list.length)]! };
}
